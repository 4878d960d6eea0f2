// SPDX-License-Identifier: MIT
// A value of a type with one constructor becomes the values of its fields: several variables, parameters, results and
// fields in place of one (doc/adr/0049). A top-level value that code computes is kept in a closure that returns them.
#include "base/components.h"
#include "fixed_types.h"
#include "retype.h"
#include "single.h"
#include "walk.h"

namespace mim::plug::mil {

namespace {

/// The header of an object has so many bits for its size.
constexpr size_t kMostFields = 240;

class Vectors {
public:
    Vectors(Source& source, const Program& p, const ProgramTypes& found, uint32_t first_unnamed, const VectorLimits& limits)
        : old_(p)
        , p_(p)
        , source_(source)
        , types_(source.types)
        , found_(found)
        , fixed_(p, types_, found)
        , first_unnamed_(first_unnamed)
        , limits_(limits) {}

    /// Empty if all values stay as they are.
    std::optional<Program> run();

private:
    /// A type with its arguments whose values may be those of the fields.
    struct Vector {
        std::vector<Type*> arguments, fields;
        size_t most = 0;
        bool stays  = false;
        size_t size = 0; ///< how many values; 0: nobody has counted
    };
    /// The value of a top-level definition.
    struct Top {
        bool is_kept = false; ///< in a closure
        Atoms parts;          ///< else it is these
        size_t size = 0;      ///< 0: the value stays
    };

    /// @name types that stay
    ///@{
    Vector* vector_of(Type*);
    void add_key(Type*, std::string&);
    void stay(Vector&);
    void stay(Type* t) {
        if (auto v = t ? vector_of(t) : nullptr) stay(*v);
    }
    void stay_everywhere(Type*);
    void walk(Type*);
    void walk_everywhere();
    void look_at_instance(const Scheme&, Type*);
    void match(Type* general, Type* special);
    void look_at_primitive(const Tail&, const std::vector<uint32_t>* binds, Type* range);
    void look_at_code();
    void look_at_tops();
    void look_at_borders();
    size_t size_of(Vector&);
    bool settle();
    ///@}

    /// @name types that change
    ///@{
    bool is_vector(Type* t) {
        auto v = t ? vector_of(t) : nullptr;
        return v && !v->stays;
    }
    void add_parts(Type*, std::vector<Type*>&);
    std::vector<Type*> parts_of(Type* t) {
        std::vector<Type*> all;
        add_parts(t, all);
        return all;
    }
    Type* type(Type*);
    std::vector<Type*> results_of(Type* arrow);
    ///@}

    /// @name values
    ///@{
    Type* type_of(const Atom&) const;
    void expand(const Atom&, Atoms&);
    Atoms expanded(const Atoms& all) {
        Atoms result;
        for (auto& a : all) expand(a, result);
        return result;
    }
    Atom one(const Atom& a) { return expanded({a})[0]; }
    std::vector<uint32_t> bound(const std::vector<uint32_t>&);
    void add_bound(uint32_t, std::vector<uint32_t>&);
    Atoms field(const Tail&);
    ///@}

    /// @name code
    ///@{
    void begin() {
        parts_.clear();
        entered_.clear();
        code_.clear();
    }
    void statement(const Statement&);
    Tail tail(const Tail&, Type* result);
    void end(const Code&, Type* range, Code& made);
    void cases(const Code&, Code& made);
    Jump jump(const Jump& j) { return {j.block, expanded(j.args), j.at}; }
    void block(uint32_t);
    void closure(uint32_t);
    void top(uint32_t);
    Tail keeper(uint32_t, Tail);
    Tail closed(Tail, const std::string& name, const std::vector<uint32_t>& variables);
    void change_types_of_values();
    bool has_large_objects() const;
    ///@}

    const Program& old_;
    Program p_;
    Source& source_;
    Types& types_;
    const ProgramTypes& found_;
    FixedTypes fixed_;
    uint32_t first_unnamed_; ///< variables from this one on have no name in the program as it was
    const VectorLimits& limits_;
    std::unordered_map<std::string, Vector> vectors_;
    std::unordered_map<Type*, Type*> changed_;
    std::unordered_set<Type*> seen_;
    std::vector<Top> tops_;
    std::unordered_map<uint32_t, Atoms> parts_;   ///< of variables of the definition that is looked at
    std::unordered_map<uint64_t, Atoms> entered_; ///< … of top-level values that it has taken from their closures
    std::vector<Statement> code_;
    std::vector<std::pair<Type*, Type*>> todo_; ///< of match
};

// ---- types that stay
// ------------------------------------------------------------------------------------------------------------

/// A text that no other type has.
void Vectors::add_key(Type* t, std::string& key) {
    t = types_.resolve(t);
    if (t->kind != Type::Apply) {
        key += std::to_string(reinterpret_cast<uintptr_t>(t)) + " ";
        return;
    }
    key += "(";
    add_key(t->first, key);
    add_key(t->second, key);
    key += ")";
}

/// Null if values of the type are something else in any case.
Vectors::Vector* Vectors::vector_of(Type* t) {
    std::vector<Type*> arguments;
    auto data = fixed_.find_data(fixed_.head_of(t, arguments));
    bool may  = data != kNone && !fixed_.is_fixed(data) && limits_(old_, data) != 0;
    if (!may || arguments.size() != old_.datas[data].parameters.size()) return nullptr;
    auto key = std::to_string(data) + " ";
    for (auto& a : arguments) {
        a = types_.closed(a);
        add_key(a, key);
    }
    auto [known, is_new] = vectors_.emplace(std::move(key), Vector());
    auto& v              = known->second;
    if (!is_new) return &v;
    auto& con = old_.cons[old_.datas[data].cons[0]];
    std::unordered_map<Type*, Type*> meanings;
    for (size_t i = 0; i != arguments.size(); ++i) meanings[types_.resolve(con.scheme.variables[i])] = arguments[i];
    for (auto field : con.types) v.fields.push_back(types_.replaced(field, meanings));
    v.arguments = std::move(arguments);
    v.most      = limits_(old_, data);
    for (auto field : std::vector(v.fields)) walk(field);
    return &v;
}

void Vectors::stay(Vector& v) {
    if (std::exchange(v.stays, true)) return;
    for (auto a : v.arguments) stay(a);
}

void Vectors::stay_everywhere(Type* t) {
    t = types_.resolve(t);
    stay(t);
    if (t->kind != Type::Apply) return;
    stay_everywhere(t->first);
    stay_everywhere(t->second);
}

bool is_tuple_or_arrow(const Type* head) {
    return head->kind == Type::Con && (head->name[0] == '[' || head->name == "->>" || head->name == ">>=");
}

/// An argument of a type that stays is one value, since the code of such a type is the same for all arguments.
void Vectors::walk(Type* t) {
    if (!t) return;
    t = types_.resolve(t);
    if (!seen_.insert(t).second) return;
    std::vector<Type*> arguments;
    auto head = fixed_.head_of(t, arguments);
    for (auto a : arguments) walk(a);
    bool is_seen_later = is_tuple_or_arrow(head) || vector_of(t);
    if (is_seen_later) return;
    for (auto a : arguments) stay(a);
}

void Vectors::walk_everywhere() {
    auto all = [&](auto& list) {
        for (auto t : list) walk(t);
    };
    all(found_.variables);
    all(found_.blocks);
    all(found_.closures);
    all(found_.tops);
    for (auto& [user, t] : found_.uses) walk(t);
    auto typing = [&](const Typing& t) {
        walk(t.scheme.type);
        walk(t.claim.type);
    };
    for (auto& e : old_.order) {
        if (e.kind == Program::BlockKind) typing(old_.blocks[e.index].typing);
        if (e.kind == Program::ClosureKind) typing(old_.closures[e.index].typing);
        if (e.kind == Program::TopKind) typing(old_.tops[e.index].typing);
        if (e.kind != Program::DataKind) continue;
        for (auto c : old_.datas[e.index].cons) all(old_.cons[c].types);
    }
}

/// A definition on all types takes one value for each of its variables.
void Vectors::match(Type* general, Type* special) {
    todo_ = {{general, special}};
    while (!todo_.empty()) {
        auto [from, to] = todo_.back();
        todo_.pop_back();
        from = types_.resolve(from);
        to   = types_.resolve(to);
        if (from->kind == Type::Var || from->kind == Type::Rigid) stay(to);
        bool are_applied = from->kind == Type::Apply && to->kind == Type::Apply;
        if (are_applied) todo_.insert(todo_.end(), {{from->first, to->first}, {from->second, to->second}});
    }
}

void Vectors::look_at_instance(const Scheme& s, Type* t) {
    if (!s.variables.empty()) match(s.type, t);
}

/// A primitive takes and returns single values.
void Vectors::look_at_primitive(const Tail& t, const std::vector<uint32_t>* binds, Type* range) {
    if (t.op != Tail::Primitive) return;
    for (auto& a : t.args) stay(type_of(a));
    if (old_.primitives[t.target].any_range) return;
    if (binds)
        for (auto v : *binds) stay(found_.variables[v]);
    if (range)
        for (auto r : results_of(range)) stay(r);
}

void Vectors::look_at_code() {
    auto atom = [&](const Atom& a) {
        if (a.kind == Atom::Top) look_at_instance(old_.tops[a.number].typing.scheme, found_.uses.at(&a));
    };
    auto atoms = [&](const Atoms& all) {
        for (auto& a : all) atom(a);
    };
    auto look = [&](const Tail& t, const std::vector<uint32_t>* binds, Type* range) {
        atoms(t.args);
        if (t.op == Tail::Block) look_at_instance(old_.blocks[t.target].typing.scheme, found_.uses.at(&t));
        if (t.op == Tail::Closure) look_at_instance(old_.closures[t.target].typing.scheme, found_.uses.at(&t));
        look_at_primitive(t, binds, range);
    };
    for (auto& e : old_.order) {
        if (e.kind == Program::ClosureKind) {
            auto& k = old_.closures[e.index];
            look(k.tail, nullptr, types_.resolve(found_.closures[e.index])->second);
        }
        if (e.kind == Program::TopKind) look(old_.tops[e.index].tail, nullptr, nullptr);
        if (e.kind != Program::BlockKind) continue;
        auto& code = old_.blocks[e.index].code;
        for (auto& s : code.statements) look(s.tail, &s.binds, nullptr);
        if (code.end == Code::Tailed) look(code.tail, nullptr, found_.blocks[e.index]);
        else atom(code.subject);
        each_jump(code, [&](auto& j) {
            atoms(j.args);
            look_at_instance(old_.blocks[j.block].typing.scheme, found_.uses.at(&j));
        });
    }
}

/// Allocations that need each other name values that are not there yet. A primitive makes one value.
void Vectors::look_at_tops() {
    std::vector<std::vector<uint32_t>> edges(old_.tops.size());
    for (auto& e : old_.order) {
        if (e.kind != Program::TopKind) continue;
        auto& t = old_.tops[e.index].tail;
        for (auto& a : t.args)
            if (a.kind == Atom::Top) edges[e.index].push_back(static_cast<uint32_t>(a.number));
        if (t.op == Tail::Primitive) stay(found_.tops[e.index]);
    }
    auto place = ComponentSearch(edges.size(), [&](uint32_t v) -> const std::vector<uint32_t>& { return edges[v]; }).run();
    for (uint32_t top = 0; top != edges.size(); ++top) {
        auto is_together = [&](uint32_t other) { return place[other] == place[top]; };
        if (std::ranges::any_of(edges[top], is_together)) stay(found_.tops[top]);
    }
}

/// Others know these types.
void Vectors::look_at_borders() {
    for (auto& e : old_.order) {
        bool is_entry = e.kind == Program::BlockKind && old_.blocks[e.index].entry != kNone;
        if (is_entry) stay_everywhere(old_.blocks[e.index].typing.scheme.type);
        if (e.kind == Program::PrimitiveKind) stay_everywhere(old_.primitives[e.index].scheme.type);
    }
    if (old_.main != kNone) stay_everywhere(found_.tops[old_.main]);
}

/// The number of values that it is; one that is too many stays.
size_t Vectors::size_of(Vector& v) {
    if (v.stays) return 1;
    if (v.size != 0) return v.size;
    size_t size = 0;
    for (auto field : v.fields) {
        auto inner = vector_of(field);
        size += inner ? size_of(*inner) : 1;
    }
    if (size <= v.most) return v.size = size;
    stay(v);
    return 1;
}

/// False if all types stay.
bool Vectors::settle() {
    walk_everywhere();
    look_at_code();
    look_at_tops();
    look_at_borders();
    auto num_staying = [&] { return std::ranges::count_if(vectors_, [](auto& v) { return v.second.stays; }); };
    for (auto before = num_staying() - 1; before != num_staying();) {
        before = num_staying();
        for (auto& [key, v] : vectors_) v.size = 0;
        std::vector<Vector*> all;
        for (auto& [key, v] : vectors_) all.push_back(&v);
        for (auto v : all) size_of(*v);
    }
    return num_staying() != std::ssize(vectors_);
}

// ---- types that change
// ----------------------------------------------------------------------------------------------------------

void Vectors::add_parts(Type* t, std::vector<Type*>& all) {
    auto v = vector_of(t);
    if (!v || v->stays) return all.push_back(type(t));
    for (auto field : v->fields) add_parts(field, all);
}

Type* Vectors::type(Type* t) {
    t = types_.resolve(t);
    if (t->kind != Type::Apply) return t;
    if (auto known = changed_.find(t); known != changed_.end()) return known->second;
    std::vector<Type*> arguments, changed;
    auto head     = fixed_.head_of(t, arguments);
    bool is_tuple = head->kind == Type::Con && head->name[0] == '[';
    for (auto a : arguments) {
        if (is_tuple) add_parts(a, changed);
        else changed.push_back(type(a));
    }
    bool is_same       = std::ranges::equal(arguments, changed, [&](auto a, auto b) { return types_.resolve(a) == b; });
    return changed_[t] = is_same ? t : is_tuple ? types_.tuple(changed) : types_.apply(head, changed);
}

/// Of `[d, …] >>= [r, …]`, or with another arrow: all r. Nothing if nobody knows them.
std::vector<Type*> Vectors::results_of(Type* arrow) {
    std::vector<Type*> all;
    auto range = types_.resolve(arrow)->second;
    auto head  = fixed_.head_of(range, all);
    return head->kind == Type::Con ? all : std::vector<Type*>();
}

// ---- values
// ---------------------------------------------------------------------------------------------------------------------

Type* Vectors::type_of(const Atom& a) const {
    if (a.kind == Atom::Var) return found_.variables[a.number];
    return a.kind == Atom::Top ? found_.uses.at(&a) : nullptr;
}

void Vectors::expand(const Atom& a, Atoms& all) {
    if (a.kind == Atom::Var) {
        auto known = parts_.find(static_cast<uint32_t>(a.number));
        if (known == parts_.end()) return all.push_back(a);
        all.insert(all.end(), known->second.begin(), known->second.end());
        return;
    }
    bool is_plain = a.kind != Atom::Top || a.number >= tops_.size() || tops_[a.number].size == 0;
    if (is_plain) return all.push_back(a);
    auto& t    = tops_[a.number];
    auto parts = t.parts;
    if (t.is_kept) {
        auto& entered = entered_[a.number];
        if (entered.empty()) {
            Statement s{{}, {Tail::Enter, kNone, 0, {a}, old_.tops[a.number].at, static_cast<uint32_t>(t.size)}};
            for (size_t i = 0; i != t.size; ++i) s.binds.push_back(p_.variable(old_.tops[a.number].name));
            for (auto v : s.binds) entered.push_back(variable_atom(v));
            code_.push_back(std::move(s));
        }
        parts = entered;
    }
    all.insert(all.end(), parts.begin(), parts.end());
}

/// Its variables take its place.
void Vectors::add_bound(uint32_t v, std::vector<uint32_t>& all) {
    if (!is_vector(found_.variables[v])) return all.push_back(v);
    auto said    = old_.annotated.contains(v);
    auto parts   = parts_of(found_.variables[v]);
    auto& values = parts_[v];
    p_.annotated.erase(v);
    for (auto part : parts) {
        auto name = old_.variables[v];
        auto made = v >= first_unnamed_ ? kNone : p_.variable(name);
        all.push_back(made);
        values.push_back(variable_atom(made));
        if (said) p_.annotated[made] = {{{}, types_.closed(part)}, old_.annotated.at(v).at};
    }
}

std::vector<uint32_t> Vectors::bound(const std::vector<uint32_t>& variables) {
    std::vector<uint32_t> all;
    for (auto v : variables) add_bound(v, all);
    return all;
}

/// The values of a field; statements take them from an object.
Atoms Vectors::field(const Tail& t) {
    auto v         = vector_of(type_of(t.args[0]));
    bool is_inside = v && !v->stays;
    auto& fields   = is_inside ? v->fields : old_.cons[t.target].types;
    size_t first   = 0;
    for (uint32_t i = 0; i != t.index; ++i) first += parts_of(fields[i]).size();
    auto size  = parts_of(fields[t.index]).size();
    auto whole = expanded(t.args);
    Atoms result;
    for (size_t i = first; i != first + size; ++i) {
        if (is_inside) {
            result.push_back(whole[i]);
            continue;
        }
        auto made = p_.variable("field");
        code_.push_back({{made}, {Tail::Select, t.target, static_cast<uint32_t>(i), whole, t.at}});
        result.push_back(variable_atom(made));
    }
    return result;
}

// ---- code
// -----------------------------------------------------------------------------------------------------------------------

void Vectors::statement(const Statement& s) {
    auto& t      = s.tail;
    bool is_con  = t.op == Tail::Build || t.op == Tail::Select || t.op == Tail::Assert;
    auto subject = t.op == Tail::Build ? found_.variables[s.binds[0]] : is_con ? type_of(t.args[0]) : nullptr;
    bool is_gone = is_con && is_vector(subject);
    bool is_many = t.op == Tail::Select && is_vector(found_.variables[s.binds[0]]);
    if (is_gone && t.op == Tail::Assert) return;
    if (is_gone && t.op == Tail::Build) {
        parts_[s.binds[0]] = expanded(t.args);
        return;
    }
    if (is_gone || is_many) {
        auto values        = field(t);
        parts_[s.binds[0]] = std::move(values);
        return;
    }
    auto made  = tail(t, nullptr);
    auto binds = bound(s.binds);
    if (made.op != Tail::Assert) made.results = static_cast<uint32_t>(binds.size());
    code_.push_back({std::move(binds), std::move(made)});
}

/// Its result has that type; null if it is not a vector.
Tail Vectors::tail(const Tail& t, Type* result) {
    bool is_many   = is_vector(result);
    bool is_inside = t.op == Tail::Select && is_vector(type_of(t.args[0]));
    auto made      = t;
    if (is_inside || (t.op == Tail::Select && is_many)) return {Tail::Return, kNone, 0, field(t), t.at};
    if (t.op == Tail::Select) {
        made.index = 0;
        for (uint32_t i = 0; i != t.index; ++i)
            made.index += static_cast<uint32_t>(parts_of(old_.cons[t.target].types[i]).size());
    }
    made.args = expanded(t.args);
    if (t.op == Tail::Build && is_many) made = {Tail::Return, kNone, 0, std::move(made.args), t.at};
    return made;
}

/// There is one constructor, which needs no test.
void Vectors::cases(const Code& c, Code& made) {
    auto& next = c.arms.empty() ? *c.otherwise : c.arms[0].jump;
    made.tail  = {Tail::Block, next.block, 0, expanded(next.args), next.at, c.tail.results};
}

void Vectors::end(const Code& c, Type* range, Code& made) {
    made.at = c.at;
    if (c.end == Code::Tailed) {
        auto results = results_of(range);
        made.tail    = tail(c.tail, results.size() == 1 ? results[0] : nullptr);
        return;
    }
    bool has_next = !c.arms.empty() || c.otherwise;
    if (has_next && is_vector(type_of(c.subject))) return cases(c, made);
    made         = c;
    made.subject = one(c.subject);
    each_jump(made, [&](Jump& j) { j = jump(j); });
}

void Vectors::block(uint32_t index) {
    begin();
    auto& old               = old_.blocks[index];
    p_.blocks[index].params = bound(old.params);
    for (auto& s : old.code.statements) statement(s);
    Code made;
    end(old.code, found_.blocks[index], made);
    made.statements       = std::move(code_);
    p_.blocks[index].code = std::move(made);
}

/// A tail behind the statements that it needs: if there are some, a block has them.
Tail Vectors::closed(Tail t, const std::string& name, const std::vector<uint32_t>& variables) {
    if (code_.empty()) return t;
    Code body;
    body.statements = std::move(code_);
    body.tail       = std::move(t);
    return call_of_block(p_, name, body, variables);
}

void Vectors::closure(uint32_t index) {
    begin();
    auto& old      = old_.closures[index];
    auto stored    = bound(old.stored);
    auto params    = bound(old.params);
    auto variables = stored;
    variables.insert(variables.end(), params.begin(), params.end());
    auto results = results_of(types_.resolve(found_.closures[index])->second);
    auto made    = closed(tail(old.tail, results.size() == 1 ? results[0] : nullptr), old.name, variables);

    p_.closures[index].stored = std::move(stored);
    p_.closures[index].params = std::move(params);
    p_.closures[index].tail   = std::move(made);
}

/// A closure that returns the values of a top-level definition.
Tail Vectors::keeper(uint32_t index, Tail t) {
    auto& old = old_.tops[index];
    auto size = tops_[index].size;
    Atoms values;
    ClosureDef k{old.name, old.at, {}, {}, {Tail::Return, kNone, 0, {}, old.at}, true};
    for (size_t i = 0; i != size; ++i) {
        k.stored.push_back(p_.variable(old.name));
        k.tail.args.push_back(variable_atom(k.stored.back()));
    }
    k.tail.results = static_cast<uint32_t>(size);
    auto made      = add(p_.closures, std::move(k));
    p_.order.push_back({Program::ClosureKind, made});
    if (t.op == Tail::Return) return {Tail::Closure, made, 0, std::move(t.args), old.at};
    Statement s{{}, std::move(t)};
    s.tail.results = static_cast<uint32_t>(size);
    for (size_t i = 0; i != size; ++i) {
        s.binds.push_back(p_.variable(old.name));
        values.push_back(variable_atom(s.binds.back()));
    }
    code_.push_back(std::move(s));
    return {Tail::Closure, made, 0, std::move(values), old.at};
}

/// The fields of one that only allocates are known wherever it is named.
void Vectors::top(uint32_t index) {
    begin();
    auto& old      = old_.tops[index];
    auto made      = tail(old.tail, found_.tops[index]);
    bool is_vector = this->is_vector(found_.tops[index]);
    auto& own      = tops_[index];
    own.size       = is_vector ? parts_of(found_.tops[index]).size() : 0;
    own.is_kept    = is_vector && (made.op != Tail::Return || !code_.empty() || old.is_kept);
    if (is_vector && !own.is_kept) {
        own.parts = std::move(made.args);
        return;
    }
    if (own.is_kept) made = keeper(index, std::move(made));
    auto body           = closed(std::move(made), old.name, {});
    p_.tops[index].tail = std::move(body);
}

void Vectors::change_types_of_values() {
    auto types = [&](Type* t) { return type(t); };
    auto parts = [&](Type* t) { return parts_of(t); };
    auto gone  = std::vector<bool>(p_.datas.size());
    for (uint32_t d = 0; d != gone.size(); ++d) gone[d] = old_.datas[d].parameters.empty() && is_vector(old_.datas[d].type);
    change_types(source_, p_, types, gone, parts);
    for (size_t i = 0; i != old_.tops.size(); ++i) {
        if (tops_[i].size == 0) continue;
        auto& t          = p_.tops[i].typing;
        auto values      = types_.tuple(parts_of(found_.tops[i]));
        t.scheme         = {{}, types_.apply(types_.con("->>"), {types_.tuple({}), values})};
        t.is_claimed     = false;
        p_.tops[i].block = kNone;
    }
    std::erase_if(p_.order, [&](auto& e) {
        bool is_top = e.kind == Program::TopKind && e.index < tops_.size() && tops_[e.index].size != 0;
        return (e.kind == Program::DataKind && gone[e.index]) || (is_top && !tops_[e.index].is_kept);
    });
}

bool Vectors::has_large_objects() const {
    auto is_large = [](size_t values) { return values > kMostFields; };
    return std::ranges::any_of(p_.cons, [&](auto& con) { return is_large(con.types.size()); })
           || std::ranges::any_of(p_.closures, [&](auto& k) { return is_large(k.stored.size()); });
}

std::optional<Program> Vectors::run() {
    if (!settle()) return {};
    tops_.resize(old_.tops.size());
    for (auto& e : old_.order)
        if (e.kind == Program::TopKind) top(e.index);
    for (auto& e : old_.order) {
        if (e.kind == Program::BlockKind) block(e.index);
        if (e.kind == Program::ClosureKind) closure(e.index);
    }
    change_types_of_values();
    if (has_large_objects()) return {};
    return std::move(p_);
}

/// Calls a function for each variable that is bound.
template<class F>
void each_binding(Program& p, F&& f) {
    for (auto& b : p.blocks) {
        for (auto& v : b.params) f(v);
        for (auto& s : b.code.statements)
            for (auto& v : s.binds) f(v);
    }
    for (auto& k : p.closures)
        for (auto& v : k.params) f(v);
}

/// Each result has a name, so that it has a type. The first variable that is new.
uint32_t name_unnamed(Program& p) {
    auto first = static_cast<uint32_t>(p.variables.size());
    each_binding(p, [&](uint32_t& v) {
        if (v == kNone) v = p.variable("_");
    });
    return first;
}

} // namespace

bool make_vectors(FrontEndContext& c, Source& source, const VectorLimits& limits) {
    auto& p      = source.program;
    auto may_go  = [&](auto& e) { return e.kind == Program::DataKind && limits(p, e.index) != 0; };
    bool has_any = std::ranges::any_of(p.order, may_go);
    if (!has_any) return false;
    auto named = p;
    auto first = name_unnamed(named);
    auto types = check_again(c, source, named);
    auto made  = Vectors(source, named, types, first, limits).run();
    if (!made) return false;
    auto last = static_cast<uint32_t>(named.variables.size());
    each_binding(*made, [&](uint32_t& v) {
        if (v >= first && v < last) v = kNone;
    });
    p = std::move(*made);
    return true;
}

} // namespace mim::plug::mil
