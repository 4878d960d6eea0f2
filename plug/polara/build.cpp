// SPDX-License-Identifier: MIT
// A program whose types are known into the graph. A definition stands for its term wherever it is used.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>

#include "ainf/annexes.h"
#include "ainf/list/entry.h"
#include "ainf/list/ops.h"
#include "ainf/list/types.h"
#include "cli/run/entry.h"
#include "cli/run/signature.h"
#include "front/scanner.h"
#include "kit/build.h"
#include "kit/match.h"
#include "polara.h"
#include "polara/annexes.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

namespace {

namespace a = mim::plug::ainf;
using a::Op;

constexpr uint64_t kFast = 127;

void write_type(Types& types, Type* t, cli::Signature& out) {
    constexpr std::string_view letters = "?nfi?pa?";
    static_assert(letters[Type::Nat] == 'n' && letters[Type::Fin] == 'i' && letters[Type::Array] == 'a');
    t = types.resolve(t);
    out.text += letters[t->kind];
    if (t->kind == Type::Fin || t->kind == Type::Array) out.write(types.resolve(t->size));
    if (t->first) write_type(types, t->first, out);
    if (t->second) write_type(types, t->second, out);
}

/// The types of a definition's arguments and result, as cli/runtime/program.h has them.
std::string signature_of(Types& types, const Def& def) {
    cli::Signature out;
    for (auto& size : def.sizes) out.add_size(size.name, size.var);
    out.text += "|";
    auto rest = types.resolve(def.type);
    for (size_t i = 0; rest->kind == Type::Fun; rest = types.resolve(rest->second), ++i) {
        bool is_named = i < def.parameters.size();
        out.text += is_named ? std::string(def.parameters[i]->name) : std::to_string(i + 1);
        out.text += ":";
        write_type(types, rest->first, out);
    }
    out.text += ">";
    write_type(types, rest, out);
    return out.text;
}

class TermBuilder {
public:
    TermBuilder(FrontEndContext& c, Program& program, Types& types)
        : w(c.world)
        , diags_(c.diags)
        , types_(types)
        , mode_(program.is_fast ? kFast : 0) {}

    void outside(Def&);

private:
    using Sizes = std::map<Polynomial::Var, Polynomial>; ///< of names of sizes, in variables of the graph

    Polynomial size(const Polynomial& p) { return types_.resolve(p).replace(sizes_); }
    const mim::Def* size_def(const Polynomial&);
    const mim::Def* type(Type*);
    const mim::Def* made_type(Type*);
    const mim::Def* term(const Expr*);
    const mim::Def* placed(const Expr*);
    const mim::Def* term_of(const Def&, const std::vector<Polynomial>& sizes);
    bool has_function(const Def&);
    Lam* program(Def&);
    const mim::Def* parameters(const Def&, size_t i);
    /// A function whose parameter is this name.
    template<class Body>
    const mim::Def* under(const Local* local, const mim::Def* type, Body body) {
        return w.lam(type, [&](const mim::Def* var) {
            locals_[local] = var;
            return body();
        });
    }
    const mim::Def* lam(const Local* local, const mim::Def* codom, const Expr* body) {
        return under(local, w.pi(type(local->type), codom), [&] { return term(body); });
    }
    const mim::Def* number(const Expr*);
    const mim::Def* fold(const Expr*);
    const mim::Def* choice(const Expr*, const std::vector<Expr*>& parts);
    const mim::Def* operation(Op, const Expr*, const std::vector<Expr*>& operands);
    const mim::Def* apply(const Expr*);
    Op infix(const Expr*);

    World& w;
    Diagnostics& diags_;
    Types& types_;
    uint64_t mode_;
    Span place_; ///< of the definition whose term is built
    Sizes sizes_;
    std::unordered_map<Type*, const mim::Def*> types_of_sizes_; ///< the types with these sizes
    a::SizeVars vars_;
    std::map<const Local*, const mim::Def*> locals_;
    using Key = std::pair<const Def*, std::vector<std::map<Polynomial::Monomial, Polynomial::Number>>>;
    std::map<Key, const mim::Def*> terms_; ///< of definitions with these sizes
};

/// A size may be none only for some of the sizes that a definition is used with.
const mim::Def* TermBuilder::size_def(const Polynomial& p) {
    auto result = size(p);
    if (!Types::fault(result)) return a::make_size(w, result, vars_);
    diags_.report(diag::bad_size(types_.text(p), "it is negative, or 2^64 or more, where the definition is used"), place_);
    return w.lit_nat(0);
}

const mim::Def* TermBuilder::type(Type* t) {
    t            = types_.resolve(t);
    auto& result = types_of_sizes_[t];
    if (!result) result = made_type(t);
    return result;
}

const mim::Def* TermBuilder::made_type(Type* t) {
    switch (t->kind) {
        case Type::Nat: return w.nat();
        case Type::Flt: return a::float_type(w);
        case Type::Fin: return w.idx(size_def(t->size));
        case Type::Fun: return w.pi(type(t->first), type(t->second));
        case Type::Pair: return a::pair_type(w, type(t->first), type(t->second));
        default: return a::array_type(w, size_def(t->size), type(t->first));
    }
}

/// The sizes are the parameters of the program.
Lam* TermBuilder::program(Def& def) {
    DefVec domain(def.sizes.size(), w.nat());
    auto lam = w.mut_lam(w.pi(w.sigma(domain), w.annex(a::Program(0))));
    std::vector<Symbol> names;
    for (auto& size : def.sizes) names.push_back(w.sym(size.name));
    w.notes.set_name(lam, w.sym(def.name));
    w.notes.set_span(lam, def.name_span);
    if (names.size() > 1) w.notes.set_fields(lam, names);
    std::vector<Polynomial> sizes;
    for (size_t i = 0; i != def.sizes.size(); ++i) {
        auto var = def.sizes.size() == 1 ? lam->var() : w.extract(lam->var(), i);
        if (def.sizes.size() == 1) w.notes.set_name(var, names[0]);
        vars_.emplace(var->id(), var);
        sizes.push_back(Polynomial::variable(var->id()));
    }
    auto term = term_of(def, sizes);
    w.set_filter(lam, w.ff());
    w.set_body(lam, w.apply<polara::program>({term->type()}, {term}));
    w.close(std::span<Lam* const>(&lam, 1));
    return lam;
}

/// Functions neither come from outside nor go there.
bool TermBuilder::has_function(const Def& def) {
    auto result = types_.resolve(def.type);
    for (; result->kind == Type::Fun; result = types_.resolve(result->second))
        if (types_.has_function(result->first)) return true;
    return types_.has_function(result);
}

/// Declares the functions that are visible outside.
void TermBuilder::outside(Def& def) {
    auto lam    = program(def);
    auto result = lam;
    if (!has_function(def)) {
        auto signature = signature_of(types_, def);
        bool is_main   = def.name == "main";
        a::Names names;
        for (auto& size : def.sizes) names.push_back(size.name);
        for (auto parameter : def.parameters) names.push_back(parameter->name);
        result = is_main ? cli::main_of(w, lam, signature, w.annex(a::main(0)))
                         : a::called_of(w, lam, arg_of(lam->body())->type(), signature, names);
    }
    w.externals.add(w.sym(def.name), result);
}

const mim::Def* TermBuilder::term_of(const Def& def, const std::vector<Polynomial>& sizes) {
    Key key{&def, {}};
    for (auto& size : sizes) key.second.push_back(size.terms());
    if (auto found = terms_.find(key); found != terms_.end()) return found->second;
    auto around = std::exchange(sizes_, {});
    auto known  = std::exchange(types_of_sizes_, {});
    auto outer  = std::exchange(place_, def.name_span);
    for (size_t i = 0; i != sizes.size(); ++i) sizes_.emplace(def.sizes[i].var, sizes[i]);
    auto result     = parameters(def, 0);
    sizes_          = std::move(around);
    types_of_sizes_ = std::move(known);
    place_          = outer;
    terms_.emplace(key, result);
    return result;
}

const mim::Def* TermBuilder::parameters(const Def& def, size_t i) {
    if (i == def.parameters.size()) return term(def.body);
    auto rest = types_.resolve(def.type);
    for (size_t j = 0; j != i; ++j) rest = types_.resolve(rest->second);
    return under(def.parameters[i], type(rest), [&] { return parameters(def, i + 1); });
}

const mim::Def* TermBuilder::number(const Expr* e) {
    auto t     = types_.resolve(e->type);
    auto text  = std::string(e->text);
    auto whole = e->kind == Expr::Integer ? front::integer_value(text) : std::nullopt;
    auto value = whole.value_or(0);
    if (t->kind == Type::Nat) return w.lit_nat(value);
    if (t->kind == Type::Fin) {
        auto size = size_def(t->size);
        auto lit  = isa_lit(size);
        return lit && value < lit->value() ? w.lit_idx(size, value) : w.apply<a::index>({size}, {w.lit_nat(value)});
    }
    auto x = whole ? static_cast<double>(value) : std::strtod(text.c_str(), nullptr);
    return a::float_literal(w, e->is_negative ? -x : x);
}

const mim::Def* TermBuilder::fold(const Expr* e) {
    auto value = type(e->binder->type);
    auto index = type(e->index->type);
    auto start = term(e->parts[0]);
    auto inner = w.pi(index, value);
    auto step  = under(e->binder, w.pi(value, inner), [&] { return lam(e->index, value, e->parts[1]); });
    auto types = w.tuple({isa_idx(index), value});
    return e->kind == Expr::Fold ? w.apply<a::fold>(types, {start}, {step}) : w.apply<a::scan>(types, {start}, {step});
}

const mim::Def* TermBuilder::choice(const Expr* e, const std::vector<Expr*>& parts) {
    auto all = map_defs(parts, [&](auto part) { return term(part); });
    return w.apply<ite>({all[0]->type(), type(e->type)}, {all[0], all[1], all[2]});
}

const mim::Def* TermBuilder::operation(Op op, const Expr* e, const std::vector<Expr*>& operands) {
    auto args = map_defs(operands, [&](auto x) { return term(x); });
    return a::make_operation(w, op, op == Op::Plus ? type(e->type) : nullptr, mode_, args);
}

Op TermBuilder::infix(const Expr* e) {
    auto kind   = types_.resolve(e->type)->kind;
    bool is_nat = kind == Type::Nat;
    switch (e->text[0]) {
        case '<': return Op::Less;
        case '=': return Op::Equal;
        case '+': return is_nat ? Op::NatAdd : kind == Type::Flt ? Op::FltAdd : Op::Plus;
        case '-': return is_nat ? Op::NatSub : Op::FltSub;
        case '/': return is_nat ? Op::NatDiv : Op::FltDiv;
        default: return is_nat ? Op::NatMul : Op::FltMul;
    }
}

const mim::Def* TermBuilder::apply(const Expr* e) {
    if (!e->constant) return operation(Op::App, e, e->parts);
    std::vector<Expr*> args;
    for (auto head = e; head->kind == Expr::Apply; head = head->parts[0]) args.push_back(head->parts[1]);
    std::ranges::reverse(args);
    return *e->constant == Op::Ite ? choice(e, args) : operation(*e->constant, e, args);
}

const mim::Def* TermBuilder::term(const Expr* e) {
    auto def      = placed(e);
    bool has_code = def->isa<App>() || def->isa<Lam>();
    if (has_code && !w.notes.has_place(def)) w.notes.set_span(def, e->span);
    return def;
}

const mim::Def* TermBuilder::placed(const Expr* e) {
    switch (e->kind) {
        case Expr::Name: {
            if (e->local) return locals_.at(e->local);
            std::vector<Polynomial> sizes;
            for (auto& s : e->def_sizes) sizes.push_back(size(s));
            return term_of(*e->def, sizes);
        }
        case Expr::Integer:
        case Expr::Float: return number(e);
        case Expr::Bool: return w.lit_bool(e->text == "true");
        case Expr::Fun: return lam(e->binder, type(types_.resolve(e->type)->second), e->parts[0]);
        case Expr::For: {
            auto array = types_.resolve(e->type);
            auto elem  = type(array->first);
            return w.apply<a::tab>({size_def(array->size), elem}, {lam(e->binder, elem, e->parts[0])});
        }
        case Expr::Fold:
        case Expr::Scan: return fold(e);
        case Expr::If: return choice(e, e->parts);
        case Expr::Let: {
            auto value  = term(e->parts[0]);
            auto result = type(e->type);
            return w.apply<bind>({value->type(), result}, {value}, {lam(e->binder, result, e->parts[1])});
        }
        case Expr::Infix: return operation(infix(e), e, e->parts);
        case Expr::Apply: return apply(e);
        case Expr::Get: return operation(Op::Get, e, e->parts);
        case Expr::Pair: return operation(Op::Pair, e, e->parts);
        case Expr::First: return operation(Op::Fst, e, e->parts);
        case Expr::Second: return operation(Op::Snd, e, e->parts);
        case Expr::Broken: break;
    }
    return nullptr; // an error was reported, and nothing is built
}

} // namespace

void build(FrontEndContext& c, Program& program, Types& types) {
    TermBuilder builder(c, program, types);
    for (auto& def : program.defs)
        if (def.is_extern || def.name == "main") builder.outside(def);
}

} // namespace mim::plug::polara
