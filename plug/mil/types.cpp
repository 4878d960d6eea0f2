// SPDX-License-Identifier: MIT
#include "types.h"

#include <algorithm>

namespace mim::plug::mil {

Type* Types::make(Type::Kind kind, std::string_view name) {
    all_.push_back({kind, level, std::string(name)});
    return &all_.back();
}

Type* Types::con(std::string_view name) {
    auto& known = cons_[std::string(name)];
    if (!known) known = make(Type::Con, name);
    return known;
}

void Types::set_word(unsigned width) {
    cons_["Word"] = bits(width);
    cons_["Flag"] = bits(1);
}

std::optional<uint64_t> Types::number_of(Type* t) {
    t              = resolve(t);
    bool is_number = t->kind == Type::Con && t->name[0] >= '0' && t->name[0] <= '9';
    return is_number ? std::optional<uint64_t>(std::stoull(t->name)) : std::nullopt;
}

std::string_view Types::name_of_bits(Type* t) {
    bool is_row = t->kind == Type::Apply && resolve(t->first) == con("Bit");
    if (!is_row) return {};
    for (auto name : {"Word", "Flag"})
        if (resolve(t->second) == resolve(con(name)->second)) return name;
    return {};
}

Type* Types::apply(Type* function, Type* argument) {
    auto result    = make(Type::Apply);
    result->first  = function;
    result->second = argument;
    return result;
}

Type* Types::apply(Type* function, const std::vector<Type*>& arguments) {
    for (auto argument : arguments) function = apply(function, argument);
    return function;
}

Type* Types::tuple(const std::vector<Type*>& parts) { return apply(con("[" + std::to_string(parts.size()) + "]"), parts); }

Type* Types::resolve(Type* t) {
    while (t->kind == Type::Var && t->first) {
        if (t->first->kind == Type::Var && t->first->first) t->first = t->first->first;
        t = t->first;
    }
    return t;
}

/// Whether the variable may become this type: that must not contain it, nor a variable of a signature further in.
bool Types::admits(Type* variable, Type* t, Agreement& why) {
    t = resolve(t);
    if (t == variable) {
        why = Agreement::Infinite;
        return false;
    }
    switch (t->kind) {
        case Type::Apply: return admits(variable, t->first, why) && admits(variable, t->second, why);
        case Type::Var: t->level = std::min(t->level, variable->level); return true;
        case Type::Rigid: why = Agreement::Different; return t->level <= variable->level;
        default: return true;
    }
}

Agreement Types::unify(Type* a, Type* b) {
    a = resolve(a);
    b = resolve(b);
    if (a == b || a->kind == Type::Broken || b->kind == Type::Broken) return Agreement::Same;
    if (a->kind != Type::Var && b->kind == Type::Var) std::swap(a, b);
    if (a->kind == Type::Var) {
        auto why = Agreement::Same;
        if (!admits(a, b, why)) return why;
        a->first = b;
        return Agreement::Same;
    }
    if (a->kind != Type::Apply || b->kind != Type::Apply) return Agreement::Different;
    auto first = unify(a->first, b->first);
    return first == Agreement::Same ? unify(a->second, b->second) : first;
}

void Types::collect(Type* t, std::vector<Type*>& variables) {
    t = resolve(t);
    if (t->kind == Type::Apply) {
        collect(t->first, variables);
        collect(t->second, variables);
    }
    bool is_own = t->kind == Type::Var && t->level > level;
    if (is_own && std::ranges::find(variables, t) == variables.end()) variables.push_back(t);
}

Scheme Types::generalize(Type* t) {
    Scheme scheme{{}, t};
    collect(t, scheme.variables);
    return scheme;
}

void Types::lower(Type* t) {
    std::vector<Type*> variables;
    collect(t, variables);
    for (auto v : variables) v->level = level;
}

Type* Types::copy(Type* t, const std::unordered_map<Type*, Type*>& copies) {
    t = resolve(t);
    if (auto found = copies.find(t); found != copies.end()) return found->second;
    if (t->kind != Type::Apply) return t;
    auto first  = copy(t->first, copies);
    auto second = copy(t->second, copies);
    return first == t->first && second == t->second ? t : apply(first, second);
}

Type* Types::instantiate(const Scheme& scheme) {
    if (scheme.variables.empty()) return scheme.type;
    std::unordered_map<Type*, Type*> copies;
    for (auto v : scheme.variables) copies.emplace(v, fresh());
    return copy(scheme.type, copies);
}

Type* Types::skolemize(const Scheme& scheme) {
    std::unordered_map<Type*, Type*> copies;
    for (auto v : scheme.variables) copies.emplace(v, rigid(v->name));
    return copy(scheme.type, copies);
}

Type* Types::closed_argument(Type* function) {
    size_t argument = 0;
    for (; function->kind == Type::Apply; function = resolve(function->first)) ++argument;
    auto known = parts_.find(function);
    auto part  = known == parts_.end() || argument >= known->second.size() ? Part::Any : known->second[argument];
    if (part == Part::Area) return con("String");
    bool is_size = closes_sizes && part != Part::Any;
    if (!is_size) return con("Unit");
    return part == Part::Number ? number(1) : con("\"\"");
}

Type* Types::closed(Type* t) {
    t = resolve(t);
    if (t->kind == Type::Var) return con("Unit");
    if (t->kind != Type::Apply) return t;
    auto first   = closed(t->first);
    bool is_open = resolve(t->second)->kind == Type::Var;
    auto second  = is_open ? closed_argument(first) : closed(t->second);
    return first == t->first && second == t->second ? t : apply(first, second);
}

bool Types::is_apply(Type* t, std::string_view constructor, std::vector<Type*>& arguments) {
    arguments.clear();
    t = resolve(t);
    for (; t->kind == Type::Apply; t = resolve(t->first)) arguments.insert(arguments.begin(), t->second);
    return t->kind == Type::Con && t->name == constructor;
}

bool Types::is_broken(Type* t) {
    t = resolve(t);
    if (t->kind == Type::Apply) return is_broken(t->first) || is_broken(t->second);
    return t->kind == Type::Broken;
}

std::string Types::text(Type* t) {
    Names names;
    return text(t, 0, names);
}

std::string Types::stored_text(Type* t) {
    Names names;
    t          = resolve(t);
    auto first = text(resolve(t->first)->second, 0, names);
    return "{" + first.substr(1, first.size() - 2) + "} " + text(t->second, 0, names);
}

std::pair<std::string, std::string> Types::texts(Type* a, Type* b) {
    Names names;
    auto first = text(a, 0, names);
    return {first, text(b, 0, names)};
}

/// Variables are `a`, `b` … in the order in which they are seen.
static std::string name_of_variable(size_t i) {
    std::string name(1, static_cast<char>('a' + i % 26));
    return i < 26 ? name : name + std::to_string(i / 26);
}

/// A type that binds weaker than `strength` stands in parentheses: 0 is a function, 1 an operand of `->`, 2 an
/// argument.
std::string Types::text(Type* t, int strength, Names& names) {
    t = resolve(t);
    if (t->kind == Type::Var) {
        auto [known, is_new] = names.emplace(t, std::string());
        if (is_new) known->second = name_of_variable(names.size() - 1);
        return known->second;
    }
    if (t->kind != Type::Apply)
        return t->name == "->" || t->name == "->>" || t->name == ">>=" ? "(" + t->name + ")" : t->name == "[0]" ? "[]" : t->name;
    return flat(t, strength, names);
}

std::string Types::flat(Type* t, int strength, Names& names) {
    if (auto name = name_of_bits(t); !name.empty()) return std::string(name);
    std::vector<Type*> arguments;
    auto head = t;
    for (; head->kind == Type::Apply; head = resolve(head->first)) arguments.insert(arguments.begin(), head->second);
    auto& name     = head->name;
    bool is_con    = head->kind == Type::Con;
    bool is_arrow  = is_con && arguments.size() == 2 && (name == "->" || name == "->>" || name == ">>=");
    bool is_square = is_con && name[0] == '[';
    bool is_round  = is_con && ((name == "Pair" && arguments.size() == 2) || (name == "Tuple3" && arguments.size() == 3));
    std::string all;
    if (is_arrow) {
        auto domain = text(arguments[0], 1, names); // first: variables have names in the order of the text
        auto range  = text(arguments[1], 0, names);
        all         = domain + " " + name + " " + range;
        return strength > 0 ? "(" + all + ")" : all;
    }
    for (auto a : arguments) {
        auto separator = is_square || is_round ? ", " : " ";
        all += (all.empty() ? "" : separator) + text(a, is_square || is_round ? 0 : 2, names);
    }
    if (is_square) return "[" + all + "]";
    if (is_round) return "(" + all + ")";
    all = text(head, 2, names) + " " + all;
    return strength > 1 ? "(" + all + ")" : all;
}

} // namespace mim::plug::mil
