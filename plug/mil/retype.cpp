// SPDX-License-Identifier: MIT
#include "retype.h"

namespace mim::plug::mil {

TypeExpr* express(Source& source, Type* t, const std::unordered_map<Type*, std::string>& names) {
    auto& types = source.types;
    t           = types.resolve(t);
    auto name   = names.find(t);
    if (name != names.end()) return source.type_expr({TypeExpr::Var, {}, name->second});
    auto word = t->kind == Type::Apply ? types.text(t) : t->name;
    if (t->kind != Type::Apply || word == "Word" || word == "Flag") {
        return source.type_expr({TypeExpr::Con, {}, word == "[0]" ? "[]" : word});
    }
    std::vector<Type*> arguments;
    auto head = t;
    for (; head->kind == Type::Apply; head = types.resolve(head->first)) arguments.insert(arguments.begin(), head->second);
    bool is_tuple = head->kind == Type::Con && head->name[0] == '[';
    TypeExpr made{is_tuple ? TypeExpr::Tuple : TypeExpr::Apply, {}, {}};
    if (!is_tuple) made.parts.push_back(express(source, head, names));
    for (auto a : arguments) made.parts.push_back(express(source, a, names));
    return source.type_expr(std::move(made));
}

namespace {

using Parts = std::function<std::vector<Type*>(Type*)>;

/// `field -> … -> T a`: those arrows are no values, and T is what the constructor makes.
Type* type_of_fields(Types& types, Type* t, size_t fields, const Parts& parts) {
    t = types.resolve(t);
    if (fields == 0) return t;
    auto result = type_of_fields(types, t->second, fields - 1, parts);
    auto all    = parts(types.resolve(types.resolve(t->first))->second);
    for (auto part = all.rbegin(); part != all.rend(); ++part) result = types.function(*part, result);
    return result;
}

/// The text of the fields, whose types have changed.
void express_fields(Source& source, Program& p, Con& con) {
    std::unordered_map<Type*, std::string> names;
    auto& parameters = p.datas[con.data].parameters;
    for (size_t i = 0; i != parameters.size() && i != con.scheme.variables.size(); ++i)
        names[source.types.resolve(con.scheme.variables[i])] = parameters[i];
    con.fields.clear();
    for (auto t : con.types) con.fields.push_back(express(source, t, names));
}

} // namespace

void change_types(Source& source, Program& p, const std::function<Type*(Type*)>& type, const std::vector<bool>& is_gone,
                  const std::function<std::vector<Type*>(Type*)>& parts) {
    Parts parts_of = parts ? parts : [&](Type* t) { return std::vector{type(t)}; };
    for (size_t i = 0, n = p.cons.size(); i != n; ++i) { // `type` may add constructors, which moves them
        if (is_gone[p.cons[i].data]) continue;
        auto whole            = type_of_fields(source.types, p.cons[i].scheme.type, p.cons[i].types.size(), parts_of);
        p.cons[i].scheme.type = whole;
        std::vector<Type*> changed;
        for (size_t j = 0; j != p.cons[i].types.size(); ++j) {
            auto own = parts_of(p.cons[i].types[j]);
            changed.insert(changed.end(), own.begin(), own.end());
        }
        auto& con    = p.cons[i];
        auto is_same = std::ranges::equal(con.types, changed, [&](auto a, auto b) { return source.types.resolve(a) == b; });
        con.types    = std::move(changed);
        if (!is_same && !is_bits(p.datas[con.data])) express_fields(source, p, con);
    }
    for (auto& prim : p.primitives)
        if (prim.scheme.type) prim.scheme.type = type(prim.scheme.type);
    auto typing = [&](Typing& t) {
        if (t.scheme.type) t.scheme.type = type(t.scheme.type);
        if (t.claim.type) t.claim.type = type(t.claim.type);
    };
    for (auto& b : p.blocks) typing(b.typing);
    for (auto& k : p.closures) typing(k.typing);
    for (auto& t : p.tops) typing(t.typing);
    for (auto& [variable, said] : p.annotated) said.scheme.type = type(said.scheme.type);
}

} // namespace mim::plug::mil
