// SPDX-License-Identifier: MIT
// %math.cmp and %math.extrema. The subtag of cmp is the set of relations that it asks for: U unordered, G greater, L less, E equal.
// Exactly one of them holds, so everything follows from the set of those that can.
#include "normalize/common.h"
#include "number.h"

namespace mim::plug::math {

namespace {

constexpr unsigned E = 1, L = 2, G = 4, U = 8, All = 15;

unsigned flip(unsigned rel) { return (rel & (U | E)) | (rel & L ? G : 0) | (rel & G ? L : 0); }

unsigned relation(const Format& f, uint64_t a, uint64_t b) {
    if (f.is_nan(a) || f.is_nan(b)) return U;
    auto c = compare(f, a, b);
    return c == 0 ? E : c > 0 ? G : L;
}

/// The relations that can hold between any a and the literal b.
unsigned possible(const Format& f, uint64_t b) {
    if (f.is_nan(b)) return U;
    if (f.is_inf(b)) return f.is_neg(b) ? U | E | G : U | E | L;
    return All;
}

} // namespace

const Def* normalize_cmp(const Redex& redex) {
    Op c(redex);
    auto& w      = c.w;
    unsigned rel = c.sub();
    if (rel == 0) return w.ff();
    if (rel == All) return w.tt();
    auto [a, b] = c.elems<2>();
    auto make   = [&](unsigned r, const Def* x, const Def* y) { return c.make(cmp(r), x, y); };
    auto x = c.value(a), y = c.value(b);
    if (x && y) {
        bool defined = c.mode.allows_value(*c.format, *x) && c.mode.allows_value(*c.format, *y);
        return defined ? w.lit_bool(rel & relation(*c.format, *x, *y)) : nullptr;
    }
    if (!isa_lit(b) && (isa_lit(a) || !in_order(a, b))) return make(flip(rel), b, a); // a ? b = b ?' a; literals last

    unsigned poss = All;
    if (c.mode.permits(Mode::nnan)) poss &= ~U;
    if (a == b) poss &= E | U;
    if (y) poss &= possible(*c.format, *y);
    if ((rel & poss) == 0) return w.ff();
    if ((rel & poss) == poss) return w.tt();
    if (a == b) { // asks whether a is a NaN, or whether it is none
        auto best = rel & U ? U : L | G | E;
        return rel == best ? nullptr : make(best, a, b);
    }
    if ((rel & poss) != rel) return make(rel & poss, a, b);
    auto u = c.isa_minus(a), v = c.isa_minus(b);
    if (u && v) return make(flip(rel), u, v);                                               // -u ? -v = u ?' v
    if (u && y) return make(flip(rel), u, w.raw_lit(b->type(), *y ^ c.format->sign_bit())); // -u ? k = u ?' -k
    return nullptr;
}

/*
 * minimum and maximum
 */

namespace {

struct Extrema : Op {
    explicit Extrema(const Redex& redex)
        : Op(redex)
        , op(extrema(sub()))
        , is_max(op == extrema::fmax || op == extrema::ieee754max)
        , ignores_nan(op == extrema::fmin || op == extrema::fmax) {}
    extrema op;
    bool is_max, ignores_nan;

    uint64_t choose(uint64_t a, uint64_t b) const {
        auto& f = *format;
        if (f.is_nan(a) || f.is_nan(b)) return !ignores_nan || (f.is_nan(a) && f.is_nan(b)) ? f.nan() : f.is_nan(a) ? b : a;
        auto c = compare(f, a, b);
        if (c == 0) c = f.is_neg(b) - f.is_neg(a); // -0 is less than +0
        return (c > 0) == is_max ? a : b;
    }
    /// The literal that is at least as extreme as every other number: -∞ for a minimum.
    bool wins(uint64_t v) const { return format->is_inf(v) && format->is_neg(v) != is_max; }
    bool loses(uint64_t v) const { return format->is_inf(v) && format->is_neg(v) == is_max; }
    bool no_nans() const { return mode.permits(Mode::nnan); }
};

/// A literal k and another operand.
const Def* with_literal(const Extrema& c, const Def* k, const Def* other) {
    auto v = *c.value(k);
    if (!c.mode.allows_value(*c.format, v)) return nullptr;
    if (c.format->is_nan(v)) return c.ignores_nan ? other : c.lit(c.format->nan());
    if (c.wins(v) && (c.ignores_nan || c.no_nans())) return k;
    if (c.loses(v) && (!c.ignores_nan || c.no_nans())) return other;
    return nullptr;
}

} // namespace

const Def* normalize_extrema(const Redex& redex) {
    Extrema c(redex);
    auto& w     = c.w;
    auto [a, b] = c.elems<2>();
    auto x = c.value(a), y = c.value(b);
    if (x && y) return c.fold(c.choose(*x, *y), *x, *y);
    if (a == b) return a; // min (a, a) = a
    auto known = x ? x : y;
    if (known)
        if (auto r = with_literal(c, x ? a : b, x ? b : a)) return r;
    // Operands stay in their order: at equal ones, a derivative is that of the first.
    for (auto [one, other] : {std::pair(a, b), std::pair(b, a)}) {
        const Def *u, *v;
        if (!c.isa(c.op, other, u, v)) continue;
        if (u == one || v == one) return other; // max (a, max (a, v)) = max (a, v)
        if (c.value(v)) std::swap(u, v);
        if (auto z = c.value(u); known && z) // max (k, max (d, v)) = max (max (k, d), v)
            if (auto k = c.fold(c.choose(*known, *z), *known, *z)) return w.app(c.callee, {k, v});
    }
    return nullptr;
}

} // namespace mim::plug::math
