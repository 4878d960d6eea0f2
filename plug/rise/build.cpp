// SPDX-License-Identifier: MIT
// A program whose types are known into the graph. Primitives have all their arguments, functions are λs: η-long. A
// definition stands for its term wherever it is used.
#include <algorithm>
#include <map>

#include "core/annexes.h"
#include "function.h"
#include "infer.h"
#include "kit/build.h"
#include "kit/match.h"
#include "numbers.h"
#include "print.h"
#include "rise.h"
#include "rise/annexes.h"
#include "rise/diagnostics.h"
#include "signature.h"
#include "strategy.h"
#include "terms/scalars.h"

namespace mim::plug::rise {

namespace {

using Source = Definition;

class TermBuilder {
public:
    TermBuilder(World& world, Diagnostics& diags, const Program& program, Types& types)
        : w(world)
        , diags_(diags)
        , program_(program)
        , types_(types) {}

    /// A function of the sizes.
    const Lam* function(const Source&);
    /// Reports what is wrong with the strategy of a definition, whatever sizes it is used with.
    void check_strategy(const Source&);
    /// The text of such a function.
    std::string text(const Source&, const Lam*);

private:
    struct Arg {
        bool is_type;
        const Def* def;
    };
    using Args = std::vector<Arg>;

    const Def* size(const Polynomial&);
    const Def* product(const Polynomial::Monomial&, Polynomial::Number);
    const Def* variable(Polynomial::Var);
    const Def* type(Type*);
    const Def* width(const Polynomial&);
    const Def* arg(const TypeArg&);
    const Def* kind(const Local* binder) { return binder->sort == Sort::NatFun ? w.pi(w.nat(), w.nat()) : w.nat(); }

    const Def* value(const Expr*);
    const Def* expanded(const Expr*, Type*, const Args&);
    const Def* expanded_in_size(const Expr*, Type*, const Args&);
    const Def* applied(const Expr*, const Args&);
    const Def* applied_expr(const Expr*, Args);
    const Def* applied_name(const Expr*, Args);
    const Def* applied_by(const Source&, const Args&);
    const Def* applied_primitive(const Expr*, const Args&);
    const Def* lifted_primitive(const Expr*, const Args&, size_t& num_types);
    const Def* applied_function(const Expr*, const Args&);
    const Def* array(const Expr*);
    const Def* let(const Expr*, const Args&);
    template<class F>
    const Def* lam(const Def* dom, const Def* codom, std::string_view name, F body);
    const Def* projection(const Expr*);
    Printed printed(const Source&, const std::vector<Polynomial::Var>&, size_t num_given);

    std::vector<Polynomial::Var> sizes_of(const Source&, size_t& num_given);
    const Def* by(const StrategyTree*, const Source&, const Def* term);

    World& w;
    Diagnostics& diags_;
    const Program& program_;
    Types& types_;
    std::map<Polynomial::Var, const Def*> sizes_;
    std::map<Type*, const Def*> free_types_;
    std::map<const Local*, const Def*> locals_;
    std::string bad_width_;
    bool is_probe_ = false; ///< only the type of what is built matters
};

// ---- sizes and types

const Def* TermBuilder::variable(Polynomial::Var x) {
    auto atom = types_.isa_atom(x);
    if (!atom) return sizes_.at(x);
    auto a = *atom;
    if (a.op == NatOp::Call) return w.app(sizes_.at(*a.left.as_variable()), size(a.right));
    auto left    = size(a.left);
    auto right   = size(a.right);
    auto operand = [&](nat op) { return w.apply(op, {left, right}); };
    switch (a.op) {
        case NatOp::Div: return operand(nat::div);
        case NatOp::Mod: return operand(nat::mod);
        case NatOp::Pow: return operand(nat::pow);
        case NatOp::Min: return operand(nat::min);
        default: return operand(nat::max);
    }
}

const Def* TermBuilder::product(const Polynomial::Monomial& monomial, Polynomial::Number coefficient) {
    const Def* result = nullptr;
    if (coefficient != 1 || monomial.empty()) result = w.lit_nat(static_cast<uint64_t>(coefficient));
    for (auto x : monomial) result = result ? w.call(core::nat::mul, {result, variable(x)}) : variable(x);
    return result;
}

const Def* TermBuilder::size(const Polynomial& p) {
    const Def *more = nullptr, *less = nullptr;
    auto known = types_.resolve(p);
    for (auto& [monomial, coefficient] : known.terms()) {
        auto& sum = coefficient > 0 ? more : less;
        auto part = product(monomial, coefficient > 0 ? coefficient : -coefficient);
        sum       = sum ? w.call(core::nat::add, {sum, part}) : part;
    }
    if (!more) more = w.lit_nat(0);
    return less ? w.call(core::nat::sub, {more, less}) : more;
}

/// Vectors of a length that is not known have no code.
const Def* TermBuilder::width(const Polynomial& n) {
    auto known = size(n);
    if (!mim::value(known) || !is_width(*mim::value(known))) bad_width_ = types_.text(n);
    return known;
}

const Def* TermBuilder::type(Type* t) {
    t = types_.resolve(t);
    switch (t->kind) {
        case Type::Scalar: return scalar_type(w, t->scalar);
        case Type::Idx: return w.apply<Index>({size(t->size)});
        case Type::Array: return w.apply<Arr>({size(t->size), type(t->first)});
        case Type::Vec: return w.apply<Vec>({width(t->size), type(t->first)});
        case Type::Pair: return w.apply<Tup>({type(t->first), type(t->second)});
        case Type::Fun: return w.pi(type(t->first), type(t->second));
        case Type::Name: return locals_.at(t->binder);
        case Type::Dep: {
            auto pi                = w.mut_pi(kind(t->binder));
            sizes_[t->binder->nat] = pi->var();
            return w.seal(pi, type(t->second));
        }
        default: return free_types_.at(t);
    }
}

template<class F>
const Def* TermBuilder::lam(const Def* dom, const Def* codom, std::string_view name, F body) {
    auto result = w.mut_lam(w.pi(dom, codom));
    if (!name.empty() && name != "_") w.notes.set_name(result->var(), w.sym(name));
    w.set(result, w.tt(), body(result->var()));
    return w.seal(result);
}

const Def* TermBuilder::arg(const TypeArg& a) {
    if (a.sort == Sort::Nat) return size(a.nat);
    if (a.sort == Sort::NatFun) {
        return lam(w.nat(), w.nat(), types_.name(a.param), [&](const Def* var) {
            sizes_[a.param] = var;
            return size(a.nat);
        });
    }
    if (a.sort == Sort::Data) return type(a.type);
    auto t = types_.resolve(a.type);
    if (t->kind == Type::Name) return locals_.at(t->binder);
    constexpr as spaces[] = {as::global, as::local, as::private_, as::constant};
    return w.annex(spaces[static_cast<size_t>(t->space)]);
}

// ---- terms

const Def* TermBuilder::value(const Expr* e) { return expanded(e, e->type, {}); }

const Def* TermBuilder::expanded(const Expr* e, Type* t, const Args& args) {
    t = types_.resolve(t);
    if (t->kind == Type::Dep) return expanded_in_size(e, t, args);
    if (t->kind != Type::Fun) return applied(e, args);
    std::string_view name;
    auto inner = e;
    for (size_t i = 0; i != args.size() && (inner->kind == Expr::Fun || inner->kind == Expr::DepFun); ++i)
        inner = inner->parts[0];
    if (inner->kind == Expr::Fun) name = inner->binder->name;
    return lam(type(t->first), type(t->second), name, [&](const Def* var) {
        auto all = args;
        all.push_back({false, var});
        return expanded(e, t->second, all);
    });
}

const Def* TermBuilder::expanded_in_size(const Expr* e, Type* t, const Args& args) {
    auto pi     = type(t);
    auto result = w.mut_lam(pi);
    w.notes.set_name(result->var(), w.sym(t->binder->name));
    sizes_[t->binder->nat] = result->var();
    auto all               = args;
    all.push_back({true, result->var()});
    w.set(result, w.tt(), expanded(e, t->second, all));
    return w.seal(result);
}

const Def* TermBuilder::applied(const Expr* e, const Args& args) {
    auto def    = applied_expr(e, args);
    auto span   = e->span;
    bool is_new = def && Notes::has_place(def) && !w.notes.span(def);
    if (e->kind == Expr::Let) span.end = span.begin + static_cast<uint32_t>(std::string_view("let").size());
    if (is_new) w.notes.set_span(def, span);
    return def;
}

const Def* TermBuilder::applied_expr(const Expr* e, Args args) {
    Args own;
    if (!e->prim && e->arg) own.push_back({true, arg(*e->arg)});
    if (!e->prim && !e->arg && e->kind == Expr::Apply) own.push_back({false, value(e->parts[1])});
    bool is_use = e->kind == Expr::Name && e->def;
    for (size_t i = is_use ? e->def->free.size() : 0; i < e->implicits.size(); ++i) own.push_back({true, arg(e->implicits[i])});
    args.insert(args.begin(), own.begin(), own.end());
    if (e->prim) return applied_primitive(e, args);
    switch (e->kind) {
        case Expr::Name: return applied_name(e, std::move(args));
        case Expr::Integer:
        case Expr::Float: return literal(w, e->text, type(types_.resolve(e->type)));
        case Expr::Bool: return w.lit_bool(e->text == "true");
        case Expr::Fun:
        case Expr::DepFun: return applied_function(e, args);
        case Expr::Let: return let(e, args);
        case Expr::If: {
            auto c     = value(e->parts[0]);
            auto holds = applied(e->parts[1], args);
            return w.apply<select>({holds->type()}, {c}, {holds}, {applied(e->parts[2], args)});
        }
        case Expr::Compose: {
            auto middle = applied(e->parts[0], {args[0]});
            if (!middle) return nullptr;
            args[0].def = middle;
            return applied(e->parts[1], args);
        }
        case Expr::Apply:
        case Expr::Implicit:
        case Expr::Ascribe: return applied(e->parts[0], args);
        case Expr::First:
        case Expr::Second: return projection(e);
        case Expr::Pair: {
            auto first  = value(e->parts[0]);
            auto second = value(e->parts[1]);
            return w.apply<pair>({first->type(), second->type()}, {first}, {second});
        }
        case Expr::Array: return array(e);
        default: break;
    }
    return nullptr; // an error was reported, and nothing is built
}

const Def* TermBuilder::projection(const Expr* e) {
    auto pair  = value(e->parts[0]);
    auto types = arg_of(pair->type());
    return e->kind == Expr::First ? w.apply<fst>(types, {pair}) : w.apply<snd>(types, {pair});
}

const Def* TermBuilder::array(const Expr* e) {
    auto elem  = type(types_.resolve(e->type)->first);
    auto elems = w.tuple(map_defs(e->parts, [&](auto part) { return value(part); }));
    return w.apply<make_array>({w.lit_nat(e->parts.size()), elem}, {elems});
}

const Def* TermBuilder::let(const Expr* e, const Args& args) {
    auto x     = e->binder;
    auto bound = value(e->parts[0]);
    if (types_.has_function(x->type)) {
        locals_[x] = bound;
        return applied(e->parts[1], args);
    }
    auto result = types_.resolve(e->parts[1]->type);
    for (size_t i = 0; i != args.size(); ++i) result = types_.resolve(result->second);
    auto codom = type(result);
    auto f     = lam(bound->type(), codom, x->name, [&](const Def* var) {
        locals_[x] = var;
        return applied(e->parts[1], args);
    });
    return w.apply<rise::let>({bound->type(), codom}, {bound}, {f});
}

const Def* TermBuilder::applied_function(const Expr* e, const Args& args) {
    if (args.empty()) return value(e);
    auto x       = e->binder;
    bool is_size = x->is_dep && (x->sort == Sort::Nat || x->sort == Sort::NatFun);
    if (is_size) sizes_[x->nat] = args[0].def;
    else locals_[x] = args[0].def;
    Args rest(args.begin() + 1, args.end());
    return rest.empty() ? value(e->parts[0]) : applied(e->parts[0], rest);
}

const Def* TermBuilder::applied_name(const Expr* e, Args args) {
    if (e->def) {
        std::vector<const Def*> free;
        for (size_t i = 0; i != e->def->free.size(); ++i) free.push_back(arg(e->implicits[i]));
        for (size_t i = 0; i != free.size(); ++i) {
            auto& f = e->def->free[i];
            if (f.sort == Sort::Nat) sizes_[*f.nat.as_variable()] = free[i];
            else free_types_[f.type] = free[i];
        }
        if (e->def->by) return applied_by(*e->def, args);
        return args.empty() ? value(e->def->body) : applied(e->def->body, args);
    }
    auto local = e->local;
    auto found = local->is_dep ? sizes_.find(local->nat) : sizes_.end();
    auto given = local->is_dep ? nullptr : locals_.at(local);
    auto f     = given ? given : found != sizes_.end() ? found->second : size(Polynomial::variable(local->nat));
    for (auto& a : args) f = w.app(f, a.def);
    return f;
}

/// The strategy rewrites the definition, for the sizes that it is used with, and not what it is applied to.
const Def* TermBuilder::applied_by(const Source& def, const Args& args) {
    auto num_sizes = static_cast<size_t>(std::ranges::find(args, false, &Arg::is_type) - args.begin());
    auto t         = types_.resolve(def.type);
    for (size_t i = 0; i != num_sizes && t->kind == Type::Dep; ++i) {
        sizes_[t->binder->nat] = args[i].def;
        t                      = types_.resolve(t->second);
    }
    Args given(args.begin(), args.begin() + static_cast<ptrdiff_t>(num_sizes));
    auto result = by(def.by, def, expanded(def.body, t, given));
    for (size_t i = num_sizes; i != args.size(); ++i) result = w.app(result, args[i].def);
    return result;
}

static uint64_t arity_of(const Def* dom) {
    if (auto sigma = dom->isa<Sigma>()) return sigma->num_ops();
    auto arr = dom->isa<mim::Arr>();
    return arr ? *mim::value(arr->arity()) : 1;
}

/// The types that the axiom has of those of the primitive.
const Def* TermBuilder::lifted_primitive(const Expr* e, const Args& args, size_t& num_types) {
    auto lifted = e->prim->lifted;
    num_types   = lifted == Lifted::Logic ? 1 : 2;
    auto first  = args[0].def;
    auto data   = lifted == Lifted::Select ? args[1].def : first;
    auto vector = isa_vector(w, first);
    auto axiom  = vector ? lifted_axiom(w, *e->prim) : e->prim->axiom(w);
    if (vector && lifted == Lifted::Logic) return w.app(axiom, vector.size);
    if (vector) return w.app(axiom, w.tuple({vector.size, isa_vector(w, data).elem}));
    return lifted == Lifted::Logic ? axiom : w.app(axiom, data);
}

const Def* TermBuilder::applied_primitive(const Expr* e, const Args& args) {
    auto f           = e->prim->axiom(w);
    size_t num_types = 0;
    bool is_lifted   = e->prim->lifted != Lifted::None && e->prim->lifted != Lifted::Cast;
    if (is_lifted) f = lifted_primitive(e, args, num_types);
    if (e->prim->optional == Optional::Dimension) f = w.app(f, w.lit_nat(e->dimension));
    if (e->prim->optional == Optional::Space) {
        Type space{.kind = Type::Space, .space = e->space.value_or(Space::Private)};
        f = w.app(f, arg({.sort = Sort::Space, .type = &space}));
    }
    for (size_t i = num_types; i < args.size();) {
        auto n     = args[i].is_type ? arity_of(f->type()->as<Pi>()->dom()) : 1;
        auto group = def_vec(n, [&](size_t j) { return args[i + j].def; });
        f          = w.app(f, w.tuple(group));
        i += n;
    }
    return f;
}

// ---- programs

/// Those that it takes, and behind them what its facts derive from these.
std::vector<Polynomial::Var> TermBuilder::sizes_of(const Source& def, size_t& num_given) {
    std::vector<Polynomial::Var> vars;
    for (auto t = types_.resolve(def.type); t->kind == Type::Dep; t = types_.resolve(t->second)) vars.push_back(t->binder->nat);
    num_given = vars.size();
    for (size_t i = 0; i != def.num_derived; ++i) vars.push_back(types_.derived()[def.first_derived + i].var);
    return vars;
}

void TermBuilder::check_strategy(const Source& def) {
    auto any_size = [&](std::string_view name) -> const Def* {
        for (auto t = types_.resolve(def.type); t->kind == Type::Dep; t = types_.resolve(t->second))
            if (t->binder->name == name) return w.mut_lam(w.pi(w.nat(), w.nat()))->var();
        return nullptr;
    };
    if (def.by) build_strategy(w, diags_, program_, *def.by, any_size);
}

/// The term with the strategy that the phase `rise.strategy` applies to it.
const Def* TermBuilder::by(const StrategyTree* tree, const Source& def, const Def* term) {
    if (!tree || !term || is_probe_) return term;
    auto size_named = [&](std::string_view name) -> const Def* {
        for (auto t = types_.resolve(def.type); t->kind == Type::Dep; t = types_.resolve(t->second))
            if (t->binder->name == name) return size(Polynomial::variable(t->binder->nat));
        return nullptr;
    };
    auto strategy = build_strategy(w, diags_, program_, *tree, size_named);
    if (!strategy) return term;
    auto result = w.apply<rise::by>({term->type()}, {strategy}, {term});
    w.notes.set_span(result, tree == program_.by_default ? def.name_span : tree->span);
    return result;
}

const Lam* TermBuilder::function(const Source& def) {
    DefVec domain;
    std::vector<Symbol> names;
    size_t num_given = 0;
    auto vars        = sizes_of(def, num_given);
    for (size_t i = 0; i != vars.size(); ++i)
        names.push_back(w.sym(i < num_given ? types_.name(vars[i]) : "q" + std::to_string(i - num_given)));
    auto own       = def.by ? def.by : program_.by_default;
    auto strategy  = program_.by_flag ? program_.by_flag : own;
    auto body_type = types_.resolve(def.type);
    auto body      = def.body;
    auto program   = [&](const Def* var) {
        Args args;
        for (size_t i = 0; i != vars.size(); ++i) {
            auto size       = vars.size() == 1 ? var : w.extract(var, i);
            sizes_[vars[i]] = size;
            if (i < num_given) args.push_back({true, size});
        }
        auto t = body_type;
        for (size_t i = 0; i != num_given; ++i) t = types_.resolve(t->second);
        return by(strategy, def, expanded(body, t, args));
    };
    domain.assign(vars.size(), w.nat());
    // the type of the term is known once it is built
    auto probe = w.sigma(domain);
    auto var   = w.mut_lam(w.pi(probe, w.nat()))->var();
    is_probe_  = true;
    auto term  = program(var);
    is_probe_  = false;
    auto pi    = w.mut_pi(probe);
    auto codom = w.subst(term->type(), var, pi->var());
    auto lam   = w.mut_lam(w.seal(pi, codom));
    if (names.size() > 1) w.notes.set_fields(lam, names);
    if (names.size() == 1) w.notes.set_name(lam->var(), names[0]);
    w.notes.set_name(lam, w.sym(def.name));
    w.notes.set_span(lam, def.name_span);
    w.set_filter(lam, w.ff());
    w.set_body(lam, program(lam->var()));
    w.close(std::span<Lam* const>(&lam, 1));

    if (!bad_width_.empty()) diags_.report(diag::bad_vector("of " + bad_width_ + " lanes"), def.name_span);

    return lam;
}

std::string TermBuilder::text(const Source& def, const Lam* program) {
    size_t num_given = 0;
    auto vars        = sizes_of(def, num_given);
    auto var         = program->var();
    for (size_t i = 0; i != vars.size(); ++i) sizes_[vars[i]] = vars.size() == 1 ? var : w.extract(var, i);
    return print(w, program, printed(def, vars, num_given));
}

/// A name that facts replace is what it was where its value occurs.
Printed TermBuilder::printed(const Source& def, const std::vector<Polynomial::Var>& vars, size_t num_given) {
    Printed result{.name = std::string(def.name)};
    for (size_t i = 0; i != vars.size(); ++i) {
        auto& name = types_.name(vars[i]);
        if (i < num_given) result.binders.push_back(name);
        result.sizes.emplace_back(size(Polynomial::variable(vars[i])), name);
        result.sizes.emplace_back(sizes_.at(vars[i]), name);
    }
    for (auto e = static_cast<const Expr*>(def.body); e->kind == Expr::DepFun; e = e->parts[0])
        for (auto& fact : e->facts) result.facts.push_back(fact.text);
    return result;
}

} // namespace

static void cannot_be_called(Diagnostics& diags, const Source& def, const std::string& why) {
    diags.report(diag::bad_main(std::string(def.name), why), def.name_span);
}

/// The last one that is exported, or the last one; `main` before all.
static const Source* program_of(FrontEndContext& c, const Program& program) {
    const Source* chosen = nullptr;
    auto is_own          = [&](const Source& def) { return def.name_span.file == c.file; };
    for (auto& def : program.defs)
        if (is_own(def) && (!chosen || def.is_exported || !chosen->is_exported)) chosen = &def;
    for (auto& def : program.defs)
        if (is_own(def) && def.name == "main") chosen = &def;
    return chosen;
}

/// The function `main`, which the host starts.
static Built build_main(FrontEndContext& c, const Program& program, Types& types) {
    auto chosen = program_of(c, program);
    if (!chosen) return {};
    std::string why;
    auto signature = signature_of(*chosen, types, why);
    if (!why.empty()) {
        bool must_run = chosen->is_exported || chosen->name == "main";
        if (must_run) cannot_be_called(c.diags, *chosen, why);
        return {.text = {}, .refuse = [chosen, why, &diags = c.diags] { cannot_be_called(diags, *chosen, why); }};
    }
    auto text = [chosen, &program, &types, &diags = c.diags](World& world, const Lam* lam) {
        return TermBuilder(world, diags, program, types).text(*chosen, lam);
    };
    auto lam = TermBuilder(c.world, c.diags, program, types).function(*chosen);
    add_main(c.world, lam, signature, !c.outputs.empty());
    bool is_shown = std::ranges::find(c.outputs, "rise") != c.outputs.end();
    if (!is_shown) return {};
    return {.text = text(c.world, lam), .print = text};
}

/// Exports every definition that is marked so, or else the last one. `main` is what a file does by itself.
static std::vector<const Source*> exports_of(FrontEndContext& c, const Program& program) {
    std::vector<const Source*> all;
    const Source* last = nullptr;
    for (auto& def : program.defs) {
        bool is_own = def.name_span.file == c.file && def.name != "main";
        if (!is_own) continue;
        last = &def;
        if (def.is_exported) all.push_back(&def);
    }
    if (all.empty() && last) all.push_back(last);
    return all;
}

/// Functions that a program of the host, which imports the file, calls by their names.
static void build_functions(FrontEndContext& c, const Program& program, Types& types) {
    for (auto def : exports_of(c, program)) {
        std::string why;
        auto signature = signature_of(*def, types, why);
        if (why.empty() && has_nested_pairs(types, def->type)) why = "an array has pairs with arrays";
        if (why.empty()) {
            auto lam = TermBuilder(c.world, c.diags, program, types).function(*def);
            if (c.diags.num_errors() == 0) add_function(c.world, lam, signature);
        } else if (def->is_exported) {
            cannot_be_called(c.diags, *def, why);
        }
    }
}

Built build(FrontEndContext& c, const Program& program, Types& types) {
    if (program.defs.empty()) return {};
    check_strategies(c.world, c.diags, program);
    for (auto& def : program.defs) TermBuilder(c.world, c.diags, program, types).check_strategy(def);
    if (c.diags.num_errors()) return {};
    if (!c.is_imported) return build_main(c, program, types);
    build_functions(c, program, types);
    return {};
}

} // namespace mim::plug::rise
