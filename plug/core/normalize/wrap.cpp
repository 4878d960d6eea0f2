// SPDX-License-Identifier: MIT
// %core.wrap: arithmetic modulo s. Folding needs the result to be defined in the mode: an exact result is computed next to the
// wrapped one. Laws that move constants are applied where both operations wrap, or where both forbid unsigned wrap and the new
// constant needs none either (then all partial results are smaller than the whole).
#include <array>

#include "normalize/common.h"

namespace mim::plug::core {

namespace {

struct Wrap : IntOp {
    explicit Wrap(const Redex& redex)
        : IntOp(redex)
        , a(elem(0))
        , b(elem(1))
        , mode(group(1)) {}
    const Def *a, *b;
    Mode mode;
    const Def* wrapped(u128 v) const { return lit(size.wrap(v)); }
    const Def* make(wrap op, const Def* x, const Def* y) const { return w.apply(op, group(0), group(1), {x, y}); }
    /// The operands of `def` if it is this operation with the same mode.
    bool isa(wrap op, const Def* def, const Def*& x, const Def*& y) const {
        auto in = match(op, def);
        if (!in || in.group(1) != group(1)) return false;
        x = operand(w, in, 0);
        y = operand(w, in, 1);
        return true;
    }
};

/// 2^k mod s.
u128 pow2(const Size& s, uint64_t k) {
    u128 result = 1 % s.n, base = 2 % s.n;
    for (; k; k >>= 1) {
        if (k & 1) result = result * base % s.n;
        base = base * base % s.n;
    }
    return result;
}

/*
 * folding: each says what the operation is modulo s, and whether the mode permits the exact result
 */

struct Folded {
    u128 value;
    bool nuw_ok, nsw_ok;
};

Folded fold_add(const Size& s, uint64_t a, uint64_t b) {
    return {(u128(a) + b) % s.n, u128(a) + b < s.n, s.fits_signed(s.read_signed(a) + s.read_signed(b))};
}

Folded fold_sub(const Size& s, uint64_t a, uint64_t b) {
    return {(u128(a) + s.n - b) % s.n, a >= b, s.fits_signed(s.read_signed(a) - s.read_signed(b))};
}

Folded fold_mul(const Size& s, uint64_t a, uint64_t b) {
    return {u128(a) * b % s.n, u128(a) * b < s.n, s.fits_signed(s.read_signed(a) * s.read_signed(b))};
}

Folded fold_shl(const Size& s, uint64_t a, uint64_t k) {
    if (a == 0) return {0, true, true};
    auto r = u128(a) * pow2(s, k) % s.n;
    return {r, k < 64 && (u128(a) << k) < s.n, k < 64 && s.fits_signed(s.read_signed(a) * (i128(1) << k))};
}

const Def* fold(const Wrap& c, Folded (*f)(const Size&, uint64_t, uint64_t)) {
    auto x = value(c.a), y = value(c.b);
    if (!x || !y) return nullptr;
    auto r       = f(c.size, *x, *y);
    bool defined = (r.nuw_ok || !c.mode.nuw) && (r.nsw_ok || !c.mode.nsw);
    return defined ? c.wrapped(r.value) : nullptr;
}

/*
 * laws
 */

/// Both constants may become one: x ∘ c ∘ d = x ∘ (c ∘ d).
bool may_combine(const Wrap& c, u128 exact) { return c.mode.wraps() || (c.mode.is_nuw_only() && exact < c.size.n); }

const Def* add(const Wrap& c) {
    if (is_zero(c.a)) return c.b; // 0 + b = b
    if (is_zero(c.b)) return c.a; // a + 0 = a
    if (!in_order(c.a, c.b)) return c.make(wrap::add, c.b, c.a);
    const Def *x, *y;
    auto k = value(c.a);
    if (k && c.size.known && c.isa(wrap::add, c.b, x, y))
        if (auto d = value(x); d && may_combine(c, u128(*k) + *d))
            return c.make(wrap::add, c.wrapped(u128(*k) + *d), y); // k + (d + y)
    if (!c.mode.wraps()) return nullptr;
    if (k && c.size.known && c.isa(wrap::sub, c.b, x, y))
        if (auto d = value(x)) return c.make(wrap::sub, c.wrapped(u128(*k) + *d), y); // k + (d - y) = (k + d) - y
    if (c.isa(wrap::sub, c.b, x, y)) {
        if (y == c.a) return x;                           // a + (x - a) = x
        if (is_zero(x)) return c.make(wrap::sub, c.a, y); // a + (0 - y) = a - y
    }
    if (c.isa(wrap::sub, c.a, x, y)) {
        if (y == c.b) return x;                           // (x - b) + b = x
        if (is_zero(x)) return c.make(wrap::sub, c.b, y); // (0 - y) + b = b - y
    }
    const Def *u, *v; // (k + x) + (d + y) = (k + d) + (x + y)
    if (c.size.known && c.isa(wrap::add, c.a, x, y) && c.isa(wrap::add, c.b, u, v))
        if (auto p = value(x), q = value(u); p && q) return c.make(wrap::add, c.wrapped(u128(*p) + *q), c.make(wrap::add, y, v));
    return nullptr;
}

const Def* sub(const Wrap& c) {
    if (is_zero(c.b)) return c.a;    // a - 0 = a
    if (c.a == c.b) return c.zero(); // a - a = 0
    if (!c.mode.wraps()) return nullptr;
    auto k = value(c.a), d = value(c.b);
    if (d && c.size.known) return c.make(wrap::add, c.wrapped(c.size.n - *d), c.a); // a - d = (-d) + a
    const Def *x, *y;
    if (k && c.size.known && c.isa(wrap::add, c.b, x, y))
        if (auto e = value(x)) return c.make(wrap::sub, c.wrapped(u128(*k) + c.size.n - *e), y); // k - (e + y) = (k - e) - y
    if (c.isa(wrap::sub, c.b, x, y)) {
        if (k && c.size.known)
            if (auto e = value(x)) return c.make(wrap::add, c.wrapped(u128(*k) + c.size.n - *e), y); // k - (e - y) = (k - e) + y
        if (is_zero(x)) return c.make(wrap::add, c.a, y);                                            // a - (0 - y) = a + y
        if (x == c.a) return y;                                                                      // a - (a - y) = y
    }
    if (c.isa(wrap::add, c.a, x, y)) {
        if (x == c.b) return y; // (b + y) - b = y
        if (y == c.b) return x; // (x + b) - b = x
    }
    return nullptr;
}

const Def* mul(const Wrap& c) {
    if (is_zero(c.a)) return c.a; // 0 · b = 0
    if (is_zero(c.b)) return c.b; // a · 0 = 0
    auto k = value(c.a), d = value(c.b);
    if (k && *k == 1) return c.b; // 1 · b = b
    if (d && *d == 1) return c.a; // a · 1 = a
    if (!in_order(c.a, c.b)) return c.make(wrap::mul, c.b, c.a);
    if (!k || !c.size.known) return nullptr;
    const Def *x, *y;
    if (c.isa(wrap::mul, c.b, x, y))
        if (auto e = value(x); e && may_combine(c, u128(*k) * *e))
            return c.make(wrap::mul, c.wrapped(u128(*k) * *e), y);                     // k · (e · y)
    if (c.mode.wraps() && *k == c.size.n - 1) return c.make(wrap::sub, c.lit(0), c.b); // (-1) · b = 0 - b
    return nullptr;
}

const Def* shl(const Wrap& c) {
    if (is_zero(c.a)) return c.a; // 0 << b = 0
    if (is_zero(c.b)) return c.a; // a << 0 = a
    auto d = value(c.b);
    if (!d || !c.mode.wraps() || !c.size.known) return nullptr;
    if (pow2(c.size, *d) == 0) return c.lit(0); // all bits are shifted out
    const Def *x, *y;
    if (c.isa(wrap::shl, c.a, x, y))
        if (auto e = value(y); e && u128(*d) + *e < c.size.n)
            return c.make(wrap::shl, x, c.wrapped(u128(*d) + *e)); // (x << e) << d
    return nullptr;
}

} // namespace

const Def* normalize_wrap(const Redex& redex) {
    using Law                                  = const Def* (*)(const Wrap&);
    using Fold                                 = Folded (*)(const Size&, uint64_t, uint64_t);
    static constexpr std::array<Law, 4> laws   = {add, sub, mul, shl};
    static constexpr std::array<Fold, 4> folds = {fold_add, fold_sub, fold_mul, fold_shl};

    Wrap c(redex);
    auto op = c.sub();
    if (c.size.is(0)) return nullptr;
    if (c.size.is(1)) return c.lit(0);
    if (value(c.a) && value(c.b)) return c.size.known ? fold(c, folds[op]) : nullptr;
    return laws[op](c);
}

} // namespace mim::plug::core
