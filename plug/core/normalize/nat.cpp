// SPDX-License-Identifier: MIT
// %core.nat and %core.ncmp. Types mention sizes, and two sizes must be the same node when they are the same number for reasons of
// plain arithmetic. So sums and products of Nats have a normal form, a polynomial with literal coefficients:
//
//     c + (t1 + (t2 + …))     c a literal, left out if 0; ti = k·(f1·(f2·…)), k a literal, left out if 1
//
// where the fi are no sums and products themselves, factors and terms are in canonical order and no two terms differ in
// the coefficient only. Products distribute over sums. A polynomial of more than MaxTerms terms, or a term of more than
// MaxFactors factors, is not written out; its root then stays as it was built, with its two operands in order, and is an
// atom for whatever is built on it: its parts are never looked at again. This keeps normalization linear in the number of nodes.
//
// Sound because Nat is the natural numbers as long as nothing overflows, and what overflows is undefined. Folding that would
// leave 64 bits is not done.
#include <algorithm>
#include <array>
#include <vector>

#include "core/diagnostics.h"
#include "kit/build.h"
#include "normalize/common.h"

namespace mim::plug::core {

namespace {

constexpr size_t MaxTerms = 8, MaxFactors = 8;

struct Term {
    u128 coeff = 1;
    DefVec factors; ///< in order; none: the constant
};
using Poly = std::vector<Term>; ///< the constant first, then in order

bool fits(u128 v) { return v >> 64 == 0; }

int compare_terms(const Term& a, const Term& b) {
    for (size_t i = 0; i < std::min(a.factors.size(), b.factors.size()); ++i)
        if (auto c = compare(a.factors[i], b.factors[i])) return c;
    return static_cast<int>(a.factors.size()) - static_cast<int>(b.factors.size());
}

bool is_atom(const Def* def) { return !match(nat::add, def) && !match(nat::mul, def); }

/// `x`, or `k·(f1·(f2·…))`, as a term; false if it is none.
bool parse_term(World& w, const Def* def, Term& term) {
    while (auto mul = match(nat::mul, def)) {
        auto [x, rest] = elems<2>(w, mul.arg());
        if (auto k = value(x)) term.coeff *= *k;
        else term.factors.push_back(x);
        if (!fits(term.coeff) || term.factors.size() >= MaxFactors || !is_atom(x)) return false;
        def = rest;
    }
    if (auto k = value(def)) term.coeff *= *k;
    else term.factors.push_back(def);
    return fits(term.coeff) && is_atom(def);
}

bool parse_sum(World& w, const Def* def, Poly& poly) {
    for (bool more = true; more;) {
        auto add  = match(nat::add, def);
        auto head = add ? operand(w, add, 0) : def;
        more      = bool(add);
        if (more) def = operand(w, add, 1);
        if (poly.size() == MaxTerms) return false;
        Term term;
        if (!parse_term(w, head, term)) return false;
        poly.push_back(std::move(term));
    }
    return true;
}

/// The terms of a normalized Nat, which may be one as a whole.
Poly parse(World& w, const Def* def) {
    Poly poly;
    if (parse_sum(w, def, poly)) return poly;
    return {Term{1, {def}}};
}

/// Sorts, merges like terms, drops those with coefficient 0. False if a coefficient leaves 64 bits.
bool tidy(Poly& poly) {
    std::stable_sort(poly.begin(), poly.end(), [](auto& a, auto& b) { return compare_terms(a, b) < 0; });
    Poly result;
    for (auto& t : poly) {
        if (!result.empty() && result.back().factors == t.factors) result.back().coeff += t.coeff;
        else result.push_back(std::move(t));
        if (!fits(result.back().coeff)) return false;
    }
    std::erase_if(result, [](auto& t) { return t.coeff == 0; });
    poly = std::move(result);
    return true;
}

bool multiply(const Poly& a, const Poly& b, Poly& result) {
    if (a.size() * b.size() > MaxTerms) return false;
    for (auto& x : a)
        for (auto& y : b) {
            Term t{x.coeff * y.coeff, x.factors};
            t.factors.insert(t.factors.end(), y.factors.begin(), y.factors.end());
            if (!fits(t.coeff) || t.factors.size() > MaxFactors) return false;
            std::stable_sort(t.factors.begin(), t.factors.end(), [](auto f, auto g) { return compare(f, g) < 0; });
            result.push_back(std::move(t));
        }
    return true;
}

/// x ∘ (y ∘ (… ∘ z)); `keep` is the application that is being normalized and is returned as null when it is the result.
const Def* fold_right(World& w, nat op, const DefVec& xs, const Def* keep_a, const Def* keep_b) {
    auto result = xs.back();
    for (size_t i = xs.size() - 1; i-- > 0;) {
        if (i == 0 && xs[0] == keep_a && result == keep_b) return nullptr;
        result = w.apply(op, {xs[i], result});
    }
    return result;
}

const Def* build_term(World& w, const Term& t, const Def* keep_a = nullptr, const Def* keep_b = nullptr) {
    DefVec xs;
    if (t.coeff != 1 || t.factors.empty()) xs.push_back(w.lit_nat(static_cast<uint64_t>(t.coeff)));
    xs.insert(xs.end(), t.factors.begin(), t.factors.end());
    return fold_right(w, nat::mul, xs, keep_a, keep_b);
}

/// `poly` as an expression; null if that is `op (a, b)` itself.
const Def* build(World& w, const Poly& poly, nat op = nat::sub, const Def* a = nullptr, const Def* b = nullptr) {
    if (poly.empty()) return w.lit_nat(0);
    if (op == nat::mul && poly.size() == 1) return build_term(w, poly[0], a, b);
    auto terms = map_defs(poly, [&](auto& t) { return build_term(w, t); });
    return op == nat::add ? fold_right(w, nat::add, terms, a, b) : fold_right(w, nat::add, terms, nullptr, nullptr);
}

void warn_overflow(World& w, nat op, const Def* a, const Def* b) {
    static constexpr const char* names[] = {"%core.nat.add", "%core.nat.sub", "%core.nat.mul"};
    if (w.warn) w.warn(diag::nat_overflow(names[static_cast<size_t>(op)], a, b));
}

/// a + b and a · b by their polynomials; what is too large keeps its operands in order.
const Def* by_polynomial(World& w, const Def* callee, nat op, const Def* a, const Def* b) {
    Poly p = parse(w, a), q = parse(w, b), r;
    bool ok = op != nat::mul || multiply(p, q, r);
    if (op == nat::add) {
        r = std::move(p);
        r.insert(r.end(), q.begin(), q.end());
    }
    if (ok && tidy(r) && r.size() <= MaxTerms) return build(w, r, op, a, b);
    return in_order(a, b) ? nullptr : w.app(callee, {b, a});
}

const Def* add(World& w, const Def* callee, const Def* a, const Def* b) {
    auto x = value(a), y = value(b);
    if (x && y) {
        if (fits(u128(*x) + *y)) return w.lit_nat(*x + *y);
        return warn_overflow(w, nat::add, a, b), nullptr;
    }
    if (x && *x == 0) return b; // 0 + b = b
    if (y && *y == 0) return a; // a + 0 = a
    return by_polynomial(w, callee, nat::add, a, b);
}

const Def* mul(World& w, const Def* callee, const Def* a, const Def* b) {
    auto x = value(a), y = value(b);
    if (x && y) {
        if (fits(u128(*x) * *y)) return w.lit_nat(*x * *y);
        return warn_overflow(w, nat::mul, a, b), nullptr;
    }
    if (x && *x == 0) return a; // 0 · b = 0
    if (y && *y == 0) return b; // a · 0 = 0
    if (x && *x == 1) return b; // 1 · b = b
    if (y && *y == 1) return a; // a · 1 = a
    return by_polynomial(w, callee, nat::mul, a, b);
}

/// Takes from a and b what they have in common; false if they have nothing in common.
bool cancel(World& w, const Def*& a, const Def*& b) {
    Poly p = parse(w, a), q = parse(w, b);
    bool changed = false;
    for (auto& x : p)
        for (auto& y : q)
            if (x.factors == y.factors) {
                auto common = std::min(x.coeff, y.coeff);
                changed |= common != 0;
                x.coeff -= common, y.coeff -= common;
            }
    if (!changed) return false;
    std::erase_if(p, [](auto& t) { return t.coeff == 0; });
    std::erase_if(q, [](auto& t) { return t.coeff == 0; });
    a = build(w, p), b = build(w, q);
    return true;
}

/// Saturating: max(0, a - b).
const Def* sub(World& w, const Def* callee, const Def* a, const Def* b) {
    auto x = value(a), y = value(b);
    if (x && y) return w.lit_nat(*x > *y ? *x - *y : 0);
    if (a == b) return w.lit_nat(0);                   // a - a = 0
    if (y && *y == 0) return a;                        // a - 0 = a
    if (x && *x == 0) return a;                        // 0 - b = 0
    if (cancel(w, a, b)) return w.app(callee, {a, b}); // (a + c) - (b + c) = a - b
    if (auto inner = match(nat::sub, a); inner && y)
        if (auto c = value(w, inner.arg(), 1)) { // (a - c) - y = a - (c + y), all saturating
            if (!fits(u128(*c) + *y)) return w.lit_nat(0);
            return w.app(callee, {operand(w, inner, 0), w.lit_nat(*c + *y)});
        }
    return nullptr;
}

/*
 * comparisons
 */

constexpr unsigned Equal = 1, Less = 2, Greater = 4;

unsigned exchange_sides(unsigned rel) { return (rel & Equal) | (rel & Less ? Greater : 0) | (rel & Greater ? Less : 0); }

/// A number that def never falls below.
uint64_t lower_bound(World& w, const Def* def) {
    if (auto lit = value(def)) return *lit;
    auto add = match(nat::add, def);
    if (!add) return 0;
    return value(w, add.arg(), 0).value_or(0);
}

/// The relations that can hold between a and b.
unsigned possible(World& w, const Def* a, const Def* b) {
    auto x = value(a), y = value(b);
    if (x && y) return *x == *y ? Equal : *x < *y ? Less : Greater;
    if (a == b) return Equal;
    auto la = lower_bound(w, a), lb = lower_bound(w, b);
    if (y) return la > *y ? Greater : la == *y ? Greater | Equal : Greater | Less | Equal;
    if (x) return lb > *x ? Less : lb == *x ? Less | Equal : Greater | Less | Equal;
    return Greater | Less | Equal;
}

} // namespace

const Def* normalize_nat(const Redex& redex) {
    using Rule                                 = const Def* (*)(World&, const Def*, const Def*, const Def*);
    static constexpr std::array<Rule, 3> rules = {add, sub, mul};
    return rules[redex.sub()](redex.w, redex.callee, redex.elem(0), redex.elem(1));
}

const Def* normalize_ncmp(const Redex& redex) {
    auto& w      = redex.w;
    unsigned rel = redex.sub();
    auto [a, b]  = redex.elems<2>();
    auto make    = [&](unsigned r, const Def* x, const Def* y) { return w.apply(ncmp(r), {x, y}); };
    auto poss    = possible(w, a, b);
    if ((rel & poss) == 0) return w.ff();        // nothing asked for can hold
    if ((rel & poss) == poss) return w.tt();     // one of those that can hold always does
    if (cancel(w, a, b)) return make(rel, a, b); // a + c ? b + c = a ? b
    bool swapped = isa_lit(a) || (!isa_lit(b) && !in_order(a, b));
    if (swapped) return make(exchange_sides(rel), b, a);    // a ? b = b ?' a; literals last
    if ((rel & poss) != rel) return make(rel & poss, a, b); // drop what cannot hold
    return nullptr;
}

} // namespace mim::plug::core
