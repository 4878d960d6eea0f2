// SPDX-License-Identifier: MIT
// Types and sizes that are written, and definitions: what is left of their equations at their end.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>

#include "cli/run/signature.h"
#include "front/scanner.h"
#include "infer.h"
#include "rise.h"
#include "rise/diagnostics.h"

namespace mim::plug::rise {

// ---- the level of types

Type* Inference::kind_error(const Expr* e, std::string_view expected) {
    bool is_value = e->kind == Expr::Name && find(e->text) && !find(e->text)->is_dep;
    bool is_size  = e->kind == Expr::Integer || (e->kind == Expr::Name && find(e->text) && find(e->text)->sort == Sort::Nat);
    auto seen     = is_value ? "a value" : is_size ? "a size" : "an expression";
    if (e->kind == Expr::Float) { // 3.3.f32
        auto dot  = std::min(e->text.find('.'), e->text.size());
        auto rows = std::string(e->text.substr(0, dot)), columns = std::string(e->text.substr(std::min(dot + 1, e->text.size())));
        report(diag::bad_kind("the number `" + std::string(e->text) + "`",
                              std::string(expected) + ", as in `" + rows + ".(" + columns + ".f32)`"),
               e->span);
    } else if (e->kind != Expr::Broken) {
        report(diag::bad_kind(seen, std::string(expected)), e->span);
    }
    return types_.broken();
}

Type* Inference::type_name(const Expr* e) {
    auto local = find(e->text);
    if (local && local->is_dep && local->sort == Sort::Data) return local->type;
    if (local) return kind_error(e, "a type");
    for (auto s = Scalar::Bool; s <= Scalar::Nat; s = static_cast<Scalar>(static_cast<int>(s) + 1))
        if (text(s) == e->text) return types_.scalar(s);
    report(diag::not_bound(std::string(e->text), "no type has this name"), e->span);
    return types_.broken();
}

Type* Inference::data_of(const Expr* e) {
    auto t = type_of(e);
    if (!types_.has_function(t)) return t;
    report(diag::no_data(types_.text(t)), e->span);
    return types_.broken();
}

Type* Inference::type_of(const Expr* e) {
    switch (e->kind) {
        case Expr::Name: return type_name(e);
        case Expr::ArrayType: {
            auto n = nat_of(e->parts[0]);
            return types_.array(n, data_of(e->parts[1]));
        }
        case Expr::PairType:
        case Expr::Pair: {
            auto first = data_of(e->parts[0]);
            return types_.pair(first, data_of(e->parts[1]));
        }
        case Expr::IdxType: return types_.make({.kind = Type::Idx, .size = nat_of(e->parts[0])});
        case Expr::Arrow: {
            auto dom = type_of(e->parts[0]);
            return types_.fun(dom, type_of(e->parts[1]));
        }
        case Expr::DepArrow: {
            Types::Level inner(types_);
            bind_dep(e->binder);
            auto rest = type_of(e->parts[0]);
            scope_.pop();
            return types_.make({.kind = Type::Dep, .second = rest, .binder = e->binder, .is_implicit = e->binder->is_implicit});
        }
        case Expr::VecType: {
            auto n = nat_of(e->parts[0]);
            check_width(e->parts[0], n);
            auto lane = data_of(e->parts[1]);
            check_lanes(e->parts[1], lane);
            return types_.vector(n, lane);
        }
        default: return kind_error(e, "a type");
    }
}

static std::optional<NatOp> op_named(std::string_view name) {
    if (name == "div") return NatOp::Div;
    if (name == "mod") return NatOp::Mod;
    if (name == "pow") return NatOp::Pow;
    if (name == "min") return NatOp::Min;
    if (name == "max") return NatOp::Max;
    return {};
}

/// `a op b`, or `min(a, b)`.
Polynomial Inference::nat_call(const Expr* e) {
    auto function = e->parts[0]->kind == Expr::Name ? find(e->parts[0]->text) : nullptr;
    bool is_call  = function && function->is_dep && function->sort == Sort::NatFun;
    if (is_call) return types_.apply(NatOp::Call, Polynomial::variable(function->nat), nat_of(e->parts[1]));
    auto head  = e->parts[0]->kind == Expr::Apply ? e->parts[0]->parts[0] : nullptr;
    bool is_op = head && (head->kind == Expr::Word || (head->kind == Expr::Name && (head->text == "min" || head->text == "max")));
    if (!is_op) {
        kind_error(e, "a size");
        return types_.nat_meta(e, "?");
    }
    auto a = nat_of(e->parts[0]->parts[1]), b = nat_of(e->parts[1]);
    if (head->text == "add") return a + b;
    if (head->text == "mul") return a * b;
    if (head->text == "sub") {
        owed_.push_back(
            {head, a - b, types_.text(a) + " is at least " + types_.text(b), types_.text(b) + " <= " + types_.text(a)});
        return a - b;
    }
    auto op = op_named(head->text);
    if (!op) {
        kind_error(e, "a size");
        return types_.nat_meta(e, "?");
    }
    bool divides = *op == NatOp::Div || *op == NatOp::Mod;
    if (divides) owed_.push_back({head, b - Polynomial::number(1), types_.text(b) + " is at least 1", "1 <= " + types_.text(b)});
    return types_.apply(*op, a, b);
}

Polynomial Inference::nat_of(const Expr* e) {
    if (e->kind == Expr::Integer) {
        if (auto n = front::integer_value(e->text)) return Polynomial::number(*n);
        report(diag::bad_number(std::string(e->text), "Nat"), e->span);
        return {};
    }
    if (e->kind == Expr::Apply) return nat_call(e);
    auto local = e->kind == Expr::Name ? find(e->text) : nullptr;
    if (local && local->is_dep && local->sort == Sort::Nat) return Polynomial::variable(local->nat);
    if (e->kind == Expr::Name && !local) report(diag::not_bound(std::string(e->text), "no size has this name"), e->span);
    else kind_error(e, "a size");
    return types_.nat_meta(e, "?");
}

TypeArg Inference::space_of(const Expr* e) {
    TypeArg arg{.sort = Sort::Space};
    auto local = e->kind == Expr::Name ? find(e->text) : nullptr;
    bool is_it = local && local->is_dep && local->sort == Sort::Space;
    if (is_it) arg.type = local->type;
    for (auto s : {Space::Global, Space::Local, Space::Private, Space::Constant})
        if (e->kind == Expr::Name && !local && text(s) == e->text) arg.type = types_.make({.kind = Type::Space, .space = s});
    if (!arg.type) arg.type = kind_error(e, "an address space");
    return arg;
}

TypeArg Inference::function_of(const Expr* e) {
    TypeArg arg{.sort = Sort::NatFun};
    auto local       = e->kind == Expr::Name ? find(e->text) : nullptr;
    bool is_function = local && local->is_dep && local->sort == Sort::NatFun;
    if (e->kind == Expr::NatFun) {
        bind_dep(e->binder);
        arg.param = e->binder->nat;
        arg.nat   = nat_of(e->parts[0]);
        scope_.pop();
        return arg;
    }
    arg.param = types_.nat_name("i");
    if (!is_function) arg.nat = Polynomial::variable(arg.param); // the mistake is reported once
    if (is_function) arg.nat = types_.apply(NatOp::Call, Polynomial::variable(local->nat), Polynomial::variable(arg.param));
    else kind_error(e, "a function of sizes");
    return arg;
}

TypeArg Inference::arg_of(Sort sort, const Expr* e) {
    if (sort == Sort::Space) return space_of(e);
    if (sort == Sort::NatFun) return function_of(e);
    TypeArg arg{.sort = sort};
    if (sort == Sort::Nat) arg.nat = nat_of(e);
    else arg.type = data_of(e);
    return arg;
}

// ---- definitions

/// Definitions of the library that nobody uses are left out.
static void use_library(Program& program) {
    std::set<std::string_view> used;
    auto is_nest = [](std::string_view name) { return name == "mapND" || name == "zipND"; };
    auto collect = [&](const Definition& def) {
        std::vector<const Expr*> todo{def.body};
        while (!todo.empty()) {
            auto e = todo.back();
            todo.pop_back();
            if (e->kind == Expr::Name) used.insert(e->text);
            todo.insert(todo.end(), e->parts.begin(), e->parts.end());
        }
    };
    for (auto& def : program.defs)
        if (!def.is_library) collect(def);
    bool uses_nests = std::ranges::any_of(used, is_nest);
    for (auto def = program.defs.rbegin(); def != program.defs.rend(); ++def) {
        bool is_of_nest = uses_nests && def->name.ends_with("D")
                          && (def->name.starts_with("map") || def->name.starts_with("zip"));
        bool is_used = used.contains(def->name) || is_of_nest;
        if (def->is_library && is_used) collect(*def);
        else if (def->is_library) def->body = nullptr;
    }
    std::erase_if(program.defs, [](auto& def) { return !def.body; });
}

void Inference::run() {
    auto assumes = assumes_sizes(c_);
    if (!assumes || !read_sizes(c_, given_)) return;
    assumes_ = *assumes;
    if (assumes_)
        types_.assume_divides = [this](auto& divisor, auto& dividend) { return assume(Fact::Divides, divisor, dividend, true); };
    use_library(program_);
    for (auto& def : program_.defs) named_.add(def);
    for (auto& def : program_.defs) {
        if (auto other = named_.first_of_name(def))
            report(diag::defined(std::string(def.name)), def.name_span).note(diag::defined_here, other->name_span, {});
        define(def);
    }
    check_given_sizes();
}

/// The type that is written, for some types and sizes in place of those that it says are inferred, whose names are known from here on. Its uses
/// put others for these.
Type* Inference::declared_type(Definition& def) {
    auto e = def.declared;
    for (; e->kind == Expr::DepArrow && e->binder->is_implicit; e = e->parts[0]) {
        auto x = e->binder;
        TypeArg some{.sort = x->sort};
        if (x->sort == Sort::Nat) {
            some.nat = types_.nat_meta(nullptr, x->name);
            x->nat   = *some.nat.as_variable();
        } else {
            some.type          = types_.meta();
            some.type->is_data = true;
            x->type            = some.type;
        }
        def.free.push_back(some);
        scope_.push(x);
    }
    def.num_implicits = def.free.size();
    return type_of(e);
}

/// Whether the definition is for all types and sizes that its type says are inferred.
static bool is_for_all(Types& all, Definition& def) {
    std::vector<Type*> types;
    std::vector<Polynomial> sizes;
    bool result = true;
    for (auto& free : def.free) {
        if (free.sort == Sort::Nat) {
            free.nat    = all.resolve(free.nat);
            bool is_any = free.nat.as_variable() && all.is_open(free.nat) && !all.isa_atom(*free.nat.as_variable());
            result &= is_any && std::ranges::find(sizes, free.nat) == sizes.end();
            sizes.push_back(free.nat);
        } else {
            free.type = all.resolve(free.type);
            result &= free.type->kind == Type::Meta && std::ranges::find(types, free.type) == types.end();
            types.push_back(free.type);
        }
    }
    return result;
}

void Inference::define(Definition& def) {
    current_        = &def;
    auto num_errors = diags_.num_errors();
    auto first_var  = types_.num_vars();
    auto first      = types_.derived().size();
    Type* declared  = def.declared ? declared_type(def) : nullptr;
    fix_sizes(def);
    if (declared) check(def.body, declared, def.body);
    else infer(def.body);
    scope_.clear();
    auto type = def.body->type;
    for (auto& [e, t] : holes_) report(diag::hole(types_.text(t)), e->span);
    derived_of_[&def] = {first, types_.derived().size()};
    if (diags_.num_errors() == num_errors) {
        solve(def);
        bool is_narrow = diags_.num_errors() == num_errors && !is_for_all(types_, def);
        if (is_narrow) {
            auto wanted = diags_.sources().text(def.declared->span);
            report(diag::mismatch(types_.text(def.body->type), std::string(wanted)), def.declared->span);
        }
        if (diags_.num_errors() == num_errors) check_constraints();
        if (diags_.num_errors() == num_errors) check_numbers();
        def.type = type;
        if (assumes_) assume_sizes(first_var);
        if (diags_.num_errors() == num_errors) generalize(def);
        if (diags_.num_errors() == num_errors) check_sizes(first_var);
        for (auto e : reductions_) check_unit(e);
    }
    def.first_derived = first;
    def.num_derived   = types_.derived().size() - first;
    if (diags_.num_errors() != num_errors) type = types_.broken(); // its uses hear nothing of it
    def.type      = type;
    def.is_broken = type->kind == Type::Broken;
    types_.forget_waiting();
    constraints_.clear(), owed_.clear(), numbers_.clear(), reductions_.clear(), holes_.clear(), metas_.clear(), assumed_.clear();
}

void Inference::solve(Definition&) {
    lift_all();
    bool is_wrong;
    auto at = types_.solve_waiting(is_wrong);
    if (!is_wrong) return;
    auto f = types_.failure;
    if (f.is_division) {
        auto divisor = types_.text(f.divisor), dividend = types_.text(f.dividend);
        auto where = f.origin ? f.origin : at;
        auto name  = where->prim ? std::string(where->prim->name) : source(where);
        report(diag::owed(name, divisor + " divides " + dividend, divisor + " | " + dividend), where->span);
    } else {
        report(diag::mismatch("of another size", "one that solves all equations"), at ? at->span : current_->name_span);
    }
}

/// A literal that has no type yet is an i32, unless the definition is for several types, which what is called from outside never is.
void Inference::check_numbers() {
    std::vector<Type*> free;
    std::function<void(Type*)> collect = [&](Type* t) {
        t = types_.resolve(t);
        if (t->kind == Type::Meta) free.push_back(t);
        if (t->first) collect(t->first);
        if (t->second) collect(t->second);
    };
    if (!is_entry(program_, *current_)) collect(current_->body->type);
    for (auto e : numbers_) {
        auto t = types_.resolve(e->type);
        if (t->kind == Type::Meta && std::ranges::find(free, t) != free.end()) continue;
        if (t->kind == Type::Meta) types_.unify(t, types_.scalar(Scalar::I32));
        t = types_.resolve(e->type);
        if (t->kind == Type::Broken) continue;
        constexpr int bits[] = {0, 7, 15, 31, 63, 8, 16, 32, 64, 63, 63, 63, 64};
        bool is_number       = t->kind == Type::Scalar && t->scalar != Scalar::Bool;
        bool is_float        = is_number && is_in(Class::Float, t->scalar);
        auto digits = std::string(e->text.substr(0, e->text.starts_with("0x") ? e->text.npos : e->text.find_first_of("fiu")));
        bool fits   = is_number && (is_float || e->kind == Expr::Integer);
        if (fits && !is_float) {
            auto n     = front::integer_value(digits);
            auto width = bits[static_cast<size_t>(t->scalar)];
            fits       = n && (width == 64 || *n <= (uint64_t(1) << width)); // -128i8
        }
        if (fits && is_float) {
            auto x     = std::strtod(digits.c_str(), nullptr);
            auto limit = t->scalar == Scalar::F16 ? 65520.0 : t->scalar == Scalar::F32 ? 3.4028235677973366e38 : HUGE_VAL;
            fits       = std::fabs(x) < limit;
        }
        if (!fits) report(diag::bad_number(std::string(e->text), types_.text(t)), e->span);
    }
}

void Inference::check_constraints() {
    std::vector<Constraint> open;
    for (auto& c : constraints_) {
        auto t = types_.resolve(c.type);
        if (t->kind == Type::Meta || t->kind == Type::Broken) {
            open.push_back(c);
            continue;
        }
        bool is_lane = t->kind == Type::Vec && c.prim->of != Class::Lane;
        if (is_lane) t = types_.resolve(t->first);
        bool is_open = t->kind == Type::Meta || t->kind == Type::Name || t->kind == Type::Broken;
        if (is_lane && is_open) continue;
        if (c.prim->of == Class::Any) continue;
        bool fits = t->kind == Type::Scalar && is_in(c.prim->of, t->scalar);
        if (!fits) report(diag::bad_class(std::string(c.prim->name), std::string(text(c.prim->of)), types_.text(t)), c.at->span);
    }
    constraints_ = open;
    for (auto& [e, t] : metas_) {
        auto found = types_.resolve(t);
        if (types_.has_function(found)) report(diag::no_data(types_.text(found)), e->span);
        bool is_lane = e->prim && (e->prim->name.starts_with("asVector") || e->prim->name == "asScalar");
        if (is_lane) check_lanes(e, found);
    }
}

void Inference::collect_metas(const Polynomial& p, Definition& def) {
    auto known = types_.resolve(p);
    for (auto& [monomial, coefficient] : known.terms()) {
        for (auto x : monomial) {
            auto v      = Polynomial::variable(x);
            bool is_new = std::ranges::none_of(def.free, [&](auto& f) { return f.sort == Sort::Nat && f.nat == v; });
            if (types_.is_open(v) && !types_.isa_atom(x) && is_new) def.free.push_back({.sort = Sort::Nat, .nat = v});
        }
    }
}

void Inference::collect_metas(Type* t, Definition& def) {
    t           = types_.resolve(t);
    bool is_new = std::ranges::none_of(def.free, [&](auto& f) { return f.type == t; });
    if (t->kind == Type::Meta && is_new) def.free.push_back({.sort = Sort::Data, .type = t});
    if (t->has_size()) collect_metas(t->size, def);
    if (t->first) collect_metas(t->first, def);
    if (t->second) collect_metas(t->second, def);
}

/// Its uses decide the open parts of its type.
void Inference::generalize(Definition& def) {
    auto first    = derived_of_[&def].first;
    bool is_fixed = false;
    for (auto e = static_cast<const Expr*>(def.body); e->kind == Expr::DepFun; e = e->parts[0])
        is_fixed |= e->binder->sort == Sort::Nat && types_.value(e->binder->nat);
    def.is_tied = is_fixed || types_.derived().size() > first;
    if (def.is_tied) {
        // facts tie the sizes that it takes to each other
        def.type = def.body->type;
        for (auto t = types_.resolve(def.type); t->kind == Type::Dep; t = types_.resolve(t->second)) {
            if (t->binder->sort != Sort::Nat) continue;
            t->size = Polynomial::variable(t->binder->nat);
            if (!types_.value(t->binder->nat)) def.free.push_back({.sort = Sort::Nat, .nat = t->size});
        }
        for (size_t i = first; i != types_.derived().size(); ++i)
            def.free.push_back({.sort = Sort::Nat, .nat = Polynomial::variable(types_.derived()[i].var)});
    }
    collect_metas(def.type, def);
    auto is_free = [&](Type* t) { return std::ranges::any_of(def.free, [&](auto& f) { return f.type == t; }); };
    auto& kept   = constraints_of_[&def];
    for (auto& c : constraints_) {
        auto t = types_.resolve(c.type);
        if (t->kind == Type::Meta && is_free(t)) kept.push_back(c);
        else if (t->kind == Type::Meta) types_.unify(t, types_.scalar(Scalar::I32));
    }
    for (auto& [e, t] : metas_) {
        auto found = types_.resolve(t);
        if (found->kind != Type::Meta || is_free(found)) continue;
        report(diag::open("the type of the elements", source(e), "; state it with `:`"), e->span);
    }
}

/// A size that would be a number below 0, `by` too small.
static std::string too_short(const Expr* at, Polynomial::Number by) {
    auto name    = at->prim ? at->prim->name : std::string_view();
    bool is_part = name == "take" || name == "drop";
    if (is_part) return "is for " + cli::number_text(by) + " more elements than the array has";
    if (name == "slide") return "makes windows that are longer than the array";
    if (name == "padClamp") return "is for an array that has elements";
    return "is for a longer array: a size would be -" + cli::number_text(by);
}

void Inference::check_sizes(size_t first_var) {
    auto name_of = [&](const Expr* e) { return e->prim ? std::string(e->prim->name) : source(e); };
    auto is_free = [&](const Polynomial& p) {
        return std::ranges::any_of(current_->free, [&](auto& f) { return f.sort == Sort::Nat && f.nat == p; });
    };
    auto is_assumed = [&](const Polynomial& p) {
        return std::ranges::any_of(assumed_, [&](auto& a) { return types_.resolve(a) == types_.resolve(p); });
    };
    std::vector<const Expr*> done;
    for (auto& size : types_.sizes_since(first_var)) {
        if (!size.origin || is_free(size.value) || std::ranges::find(done, size.origin) != done.end()) continue;
        bool is_open = types_.is_open(size.value);
        if (!is_open && (types_.is_size(size.value) || is_assumed(size.value))) continue;
        bool depends = false;
        for (auto& f : current_->free)
            if (f.sort == Sort::Nat && is_open) depends |= size.value.occurs(*f.nat.as_variable());
        if (depends) continue; // its uses decide
        done.push_back(size.origin);
        if (auto number = types_.resolve(size.value).value(); !is_open && number) {
            report(diag::bad_size(name_of(size.origin), too_short(size.origin, -*number)), size.origin->span);
            continue;
        }
        if (!is_open) {
            auto [more, less] = types_.sides(size.value);
            report(diag::owed(name_of(size.origin), more + " is at least " + less, less + " <= " + more), size.origin->span);
            continue;
        }
        std::string equation;
        for (auto& e : types_.waiting())
            equation = ": all that is known is `" + types_.text(e.left) + " = " + types_.text(e.right) + "`";
        report(diag::open(std::string(size.name), name_of(size.origin), equation), size.origin->span);
    }
    for (auto& o : owed_) {
        if (types_.is_open(o.size) || types_.is_size(o.size) || is_assumed(o.size)) continue;
        bool is_never = types_.resolve(o.size).value().has_value();
        if (is_never) report(diag::bad_size(name_of(o.at), "needs that " + o.what), o.at->span);
        else report(diag::owed(name_of(o.at), o.what, o.fact), o.at->span);
    }
}

bool infer(FrontEndContext& c, Program& program, Types& types) {
    auto num_errors = c.diags.num_errors();
    Inference(c, program, types).run();
    return c.diags.num_errors() == num_errors;
}

} // namespace mim::plug::rise
