// SPDX-License-Identifier: MIT
// Normalization by evaluation, as the paper has it: a term is evaluated to a value, functions and arrays to functions of C++, and the value is
// read back as a term. What a `let` binds is copied wherever it is used.
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "ainf/annexes.h"
#include "ainf/list/types.h"
#include "kit/match.h"
#include "polara.h"
#include "polara/annexes.h"

namespace mim::plug::polara {

namespace {

namespace a = mim::plug::ainf;

struct Value;
using ValueRef = std::shared_ptr<const Value>;

/// Of a base type a term, of a pair two values, of a function and an array a function.
struct Value {
    const mim::Def* term                             = nullptr;
    ValueRef first                                   = {};
    ValueRef second                                  = {};
    std::function<ValueRef(const ValueRef&)> call    = {};
    std::function<ValueRef(const mim::Def*)> element = {};
};

/// Values of variables, the innermost one first.
struct Scope {
    const mim::Def* var;
    ValueRef value;
    std::shared_ptr<const Scope> outer;
};
using ScopeRef = std::shared_ptr<const Scope>;

double norm_cdf(double d) {
    double k = 1 / (1 + 0.2316419 * std::fabs(d));
    double p = k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double c = 0.3989422804014327 * std::exp(-0.5 * d * d) * p;
    return d > 0 ? 1 - c : c;
}

class Normalizer {
public:
    explicit Normalizer(World& w)
        : w(w) {}

    const mim::Def* run(const mim::Def* term) { return quote(term->type(), eval(term, nullptr)); }

private:
    ValueRef make(Value v) { return std::make_shared<const Value>(std::move(v)); }
    ValueRef base(const mim::Def* term) { return make({.term = term}); }
    const mim::Def* quote(const mim::Def* type, const ValueRef&);
    ValueRef splice(const mim::Def* type, const mim::Def* term);

    ValueRef eval(const mim::Def*, const ScopeRef&);
    ValueRef lookup(const mim::Def* var, const ScopeRef&);
    ValueRef function(const Lam*, const ScopeRef&);
    ValueRef table(const mim::Def*, const ScopeRef&);
    ValueRef choice(const mim::Def*, const ScopeRef&);
    ValueRef fold(const mim::Def*, const mim::Def* start, const mim::Def* step, const ScopeRef&);
    ValueRef operation(const mim::Def*, const ScopeRef&);
    const mim::Def* term_of(const mim::Def* def, const ScopeRef& scope) { return quote(def->type(), eval(def, scope)); }
    const mim::Def* simplified(const mim::Def*);
    const mim::Def* folded_nat(const mim::Def*);
    const mim::Def* folded_float(const mim::Def*);
    const mim::Def* folded_unary(const mim::Def*);
    std::optional<double> literal(const mim::Def*);

    World& w;
};

/// η-long: functions are λs, arrays are tables, pairs are pairs.
const mim::Def* Normalizer::quote(const mim::Def* type, const ValueRef& v) {
    if (auto pi = type->isa<Pi>()) {
        auto body = [&](const mim::Def* var) { return quote(pi->codom(), v->call(splice(pi->dom(), var))); };
        return w.lam(pi, body);
    }
    if (auto array = a::isa_array(w, type)) {
        auto [size, elem] = *array;
        auto body         = [&, elem = elem](const mim::Def* var) { return quote(elem, v->element(var)); };
        return w.apply<a::tab>({size, elem}, {w.lam(w.pi(w.idx(size), elem), body)});
    }
    if (auto pair = a::isa_pair(w, type)) {
        auto first = quote(pair->first, v->first);
        return w.apply<a::pair>({pair->first, pair->second}, {first, quote(pair->second, v->second)});
    }
    return v->term;
}

ValueRef Normalizer::splice(const mim::Def* type, const mim::Def* term) {
    if (auto pi = type->isa<Pi>()) {
        auto call = [=, this](const ValueRef& arg) {
            auto x = quote(pi->dom(), arg);
            return splice(pi->codom(), w.apply<a::app>({pi->dom(), pi->codom()}, {term}, {x}));
        };
        return make({.call = call});
    }
    if (auto array = a::isa_array(w, type)) {
        auto element = [=, this, size = array->first, elem = array->second](const mim::Def* index) {
            return splice(elem, w.apply<a::get>({size, elem}, {term, index}));
        };
        return make({.element = element});
    }
    if (auto pair = a::isa_pair(w, type)) {
        auto first  = splice(pair->first, w.apply<a::fst>({pair->first, pair->second}, {term}));
        auto second = splice(pair->second, w.apply<a::snd>({pair->first, pair->second}, {term}));
        return make({.first = first, .second = second});
    }
    return base(term);
}

ValueRef Normalizer::lookup(const mim::Def* var, const ScopeRef& scope) {
    for (auto s = scope.get(); s; s = s->outer.get())
        if (s->var == var) return s->value;
    return nullptr;
}

ValueRef Normalizer::function(const Lam* lam, const ScopeRef& scope) {
    auto call = [=, this](const ValueRef& arg) { return eval(lam->body(), std::make_shared<const Scope>(Scope{lam->var(), arg, scope})); };
    return make({.call = call});
}

ValueRef Normalizer::table(const mim::Def* def, const ScopeRef& scope) {
    auto lam     = arg_of(def)->as<Lam>();
    auto element = [=, this](const mim::Def* i) {
        return eval(lam->body(), std::make_shared<const Scope>(Scope{lam->var(), base(i), scope}));
    };
    return make({.element = element});
}

ValueRef Normalizer::choice(const mim::Def* def, const ScopeRef& scope) {
    auto [c, holds, fails] = elems<3>(w, arg_of(def));
    auto condition         = term_of(c, scope);
    if (auto known = value(condition)) return eval(*known != 0 ? holds : fails, scope);
    auto first = term_of(holds, scope);
    auto type  = def->type();
    return splice(type, w.apply<ite>({condition->type(), type}, {condition, first, term_of(fails, scope)}));
}

ValueRef Normalizer::fold(const mim::Def* def, const mim::Def* start, const mim::Def* step, const ScopeRef& scope) {
    auto z     = term_of(start, scope);
    auto s     = term_of(step, scope);
    auto types = group(def, 0);
    auto again = match<a::fold>(def) ? w.apply<a::fold>(types, {z}, {s}) : w.apply<a::scan>(types, {z}, {s});
    return splice(def->type(), again);
}

/// An operation on terms, with the same groups but the last one.
ValueRef Normalizer::operation(const mim::Def* def, const ScopeRef& scope) {
    auto arg      = arg_of(def);
    auto type     = arg->type();
    bool is_tuple = type->isa<Sigma>() || type->isa<Arr>();
    DefVec args;
    if (is_tuple) {
        for (size_t i = 0; i != 2; ++i) args.push_back(term_of(elem(w, arg, i), scope));
    } else {
        args.push_back(term_of(arg, scope));
    }
    auto again = w.app(callee_of(def), w.tuple(args));
    return splice(def->type(), simplified(again));
}

ValueRef Normalizer::eval(const mim::Def* def, const ScopeRef& scope) {
    if (auto found = lookup(def, scope)) return found;
    bool is_literal = def->isa<Lit>() || match<a::index>(def);
    if (is_literal) return base(def);
    if (auto lam = def->isa<Lam>()) return function(lam, scope);
    if (auto m = match<bind>(def)) {
        auto lam   = m.arg()->as<Lam>();
        auto value = eval(m.group(1), scope);
        return eval(lam->body(), std::make_shared<const Scope>(Scope{lam->var(), value, scope}));
    }
    if (auto m = match<a::app>(def)) {
        auto f = eval(m.group(1), scope);
        return f->call(eval(m.arg(), scope));
    }
    if (match<a::tab>(def)) return table(def, scope);
    if (match<a::get>(def)) {
        auto array = eval(operand(w, def, 0), scope);
        return array->element(term_of(operand(w, def, 1), scope));
    }
    if (match<a::pair>(def)) return make({.first = eval(operand(w, def, 0), scope), .second = eval(operand(w, def, 1), scope)});
    if (match<a::fst>(def)) return eval(arg_of(def), scope)->first;
    if (match<a::snd>(def)) return eval(arg_of(def), scope)->second;
    if (match<ite>(def)) return choice(def, scope);
    if (auto m = match<a::fold>(def)) return fold(def, m.group(1), m.arg(), scope);
    if (auto m = match<a::scan>(def)) return fold(def, m.group(1), m.arg(), scope);
    return operation(def, scope);
}

// ---- folding

std::optional<double> Normalizer::literal(const mim::Def* def) {
    auto lit = isa_lit(def);
    return lit ? std::optional(a::float_value(lit)) : std::nullopt;
}

const mim::Def* Normalizer::folded_nat(const mim::Def* def) {
    auto op = match<a::nat>(def);
    auto x = value(operand(w, def, 0)), y = value(operand(w, def, 1));
    if (!x || !y) return def;
    if (op.sub() == a::nat::add) return w.lit_nat(*x + *y);
    if (op.sub() == a::nat::mul) return w.lit_nat(*x * *y);
    return def;
}

/// Laws of numbers that are not rounded hold of floats as far as the mode says that nobody sees the difference.
const mim::Def* Normalizer::folded_float(const mim::Def* def) {
    constexpr uint64_t kNoNaN = 1, kNoSignedZero = 4;
    auto op       = match<a::flt>(def);
    auto [l, r]   = elems<2>(w, op.arg());
    auto x        = literal(l);
    auto y        = literal(r);
    auto mode     = *value(op.group(0));
    bool any_zero = mode & kNoSignedZero;
    bool no_nan   = mode & kNoNaN;
    auto is_plus0 = [](const std::optional<double>& z) { return z && *z == 0 && !std::signbit(*z); };
    switch (op.sub()) {
        case a::flt::add:
            if (x && y) return a::float_literal(w, *x + *y);
            if (any_zero && x && *x == 0) return r;
            return any_zero && y && *y == 0 ? l : def;
        case a::flt::sub:
            if (x && y) return a::float_literal(w, *x - *y);
            return is_plus0(y) || (any_zero && y && *y == 0) ? l : def;
        case a::flt::mul:
            if (x && y) return a::float_literal(w, *x * *y);
            if (x && *x == 1) return r;
            if (y && *y == 1) return l;
            if (any_zero && no_nan && x && *x == 0) return l;
            return any_zero && no_nan && y && *y == 0 ? r : def;
        case a::flt::div: return x && y ? a::float_literal(w, *x / *y) : def;
        case a::flt::max: return x && y ? a::float_literal(w, std::fmax(*x, *y)) : def;
    }
    return def;
}

const mim::Def* Normalizer::folded_unary(const mim::Def* def) {
    auto op = match<a::unary>(def);
    auto x  = literal(op.arg());
    if (!x) return def;
    switch (op.sub()) {
        case a::unary::exp: return a::float_literal(w, std::exp(*x));
        case a::unary::log: return a::float_literal(w, std::log(*x));
        case a::unary::sqrt: return a::float_literal(w, std::sqrt(*x));
        case a::unary::norm_cdf: return a::float_literal(w, norm_cdf(*x));
    }
    return def;
}

const mim::Def* Normalizer::simplified(const mim::Def* def) {
    if (match<a::nat>(def)) return folded_nat(def);
    if (match<a::flt>(def)) return folded_float(def);
    if (match<a::unary>(def)) return folded_unary(def);
    return def;
}

} // namespace

const mim::Def* normalize(World& w, const mim::Def* term) { return Normalizer(w).run(term); }

} // namespace mim::plug::polara
