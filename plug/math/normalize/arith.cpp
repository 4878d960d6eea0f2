// SPDX-License-Identifier: MIT
// %math.arith. Laws without a permission are equalities of IEEE 754. Those that need the operands to be grouped anew also need that the
// sign of a zero does not matter, and that both operations have the same mode. A constant is only made of two if it is finite.
#include <array>

#include "normalize/common.h"
#include "number.h"

namespace mim::plug::math {

namespace {

struct Arith : Op {
    explicit Arith(const Redex& redex)
        : Op(redex)
        , a(elem(0))
        , b(elem(1)) {}
    const Def *a, *b;

    bool nsz() const { return mode.permits(Mode::nsz); }
    bool regroups() const { return mode.permits(Mode::reassoc | Mode::nsz); }
    bool is_any_zero(const Def* def) const { return is_zero(def, false) || is_zero(def, true); }

    /// The constant `op` of two literals: null unless both are, and it is finite.
    const Def* constant(Binary op, const Def* x, const Def* y) const {
        auto k = value(x), d = value(y);
        if (!k || !d) return nullptr;
        auto r = apply(*format, op, *k, *d);
        return format->is_finite(r) ? lit(r) : nullptr;
    }
    /// The same for products, which must not lose precision.
    const Def* factor(Binary op, const Def* x, const Def* y) const {
        auto k = constant(op, x, y);
        return k && format->is_normal(*value(k)) ? k : nullptr;
    }
    const Def* negated(uint64_t k) const { return lit(k ^ format->sign_bit()); }
};

/*
 * sums
 */

const Def* add_grouped(const Arith& c) {
    const Def *x, *y, *u, *v;
    if (c.isa(arith::add, c.b, x, y)) {
        if (auto k = c.constant(mpfr_add, c.a, x)) return c.make(arith::add, k, y); // k + (d + y) = (k + d) + y
        if (c.isa(arith::add, c.a, u, v))                                           // (k + v) + (d + y) = (k + d) + (v + y)
            if (auto k = c.constant(mpfr_add, u, x)) return c.make(arith::add, k, c.make(arith::add, v, y));
    }
    if (c.isa(arith::sub, c.b, x, y)) {
        if (auto k = c.constant(mpfr_add, c.a, x)) return c.make(arith::sub, k, y); // k + (d - y) = (k + d) - y
        if (y == c.a) return x;                                                     // a + (x - a) = x
    }
    if (c.isa(arith::sub, c.a, x, y) && y == c.b) return x; // (x - b) + b = x
    return nullptr;
}

const Def* add(const Arith& c) {
    if (c.is_zero(c.a, true)) return c.b; // -0 + b = b
    if (c.is_zero(c.b, true)) return c.a; // a + -0 = a
    if (c.nsz() && c.is_zero(c.a, false)) return c.b;
    if (c.nsz() && c.is_zero(c.b, false)) return c.a;
    if (!in_order(c.a, c.b)) return c.make(arith::add, c.b, c.a);
    if (auto x = c.isa_minus(c.b)) return c.make(arith::sub, c.a, x); // a + -x = a - x
    if (auto x = c.isa_minus(c.a)) return c.make(arith::sub, c.b, x); // -x + b = b - x
    return c.regroups() ? add_grouped(c) : nullptr;
}

const Def* sub_grouped(const Arith& c) {
    const Def *x, *y;
    if (c.isa(arith::add, c.b, x, y))
        if (auto k = c.constant(mpfr_sub, c.a, x)) return c.make(arith::sub, k, y); // k - (d + y) = (k - d) - y
    if (c.isa(arith::sub, c.b, x, y)) {
        if (auto k = c.constant(mpfr_sub, c.a, x)) return c.make(arith::add, k, y); // k - (d - y) = (k - d) + y
        if (x == c.a) return y;                                                     // a - (a - y) = y
    }
    if (c.isa(arith::add, c.a, x, y)) {
        if (x == c.b) return y; // (b + y) - b = y
        if (y == c.b) return x; // (x + b) - b = x
    }
    if (c.isa(arith::sub, c.a, x, y) && x == c.b) return c.negate(y); // (b - y) - b = -y
    return nullptr;
}

const Def* sub(const Arith& c) {
    if (c.is_zero(c.b, false)) return c.a;          // a - 0 = a
    if (c.is_zero(c.a, true)) return c.negate(c.b); // -0 - b = -b
    if (c.nsz() && c.is_zero(c.b, true)) return c.a;
    if (c.nsz() && c.is_zero(c.a, false)) return c.negate(c.b);
    if (c.a == c.b && c.mode.permits(Mode::nnan)) return c.lit(0);            // a - a = 0, of numbers
    if (auto x = c.isa_minus(c.b)) return c.make(arith::add, c.a, x);         // a - -x = a + x
    if (auto k = c.value(c.b)) return c.make(arith::add, c.negated(*k), c.a); // a - k = -k + a
    return c.regroups() ? sub_grouped(c) : nullptr;
}

/*
 * products
 */

const Def* mul(const Arith& c) {
    if (c.is_one(c.a)) return c.b;                 // 1 · b = b
    if (c.is_one(c.b)) return c.a;                 // a · 1 = a
    if (c.is_one(c.a, true)) return c.negate(c.b); // -1 · b = -b
    if (!in_order(c.a, c.b)) return c.make(arith::mul, c.b, c.a);
    if (c.mode.permits(Mode::nnan | Mode::nsz) && c.is_any_zero(c.a)) return c.lit(0); // 0 · b = 0, of numbers
    auto k = c.value(c.a);
    auto x = c.isa_minus(c.a), y = c.isa_minus(c.b);
    if (x && y) return c.make(arith::mul, x, y);             // -x · -y = x · y
    if (k && y) return c.make(arith::mul, c.negated(*k), y); // k · -y = -k · y
    if (x) return c.negate(c.make(arith::mul, x, c.b));      // -x · b = -(x · b)
    if (y) return c.negate(c.make(arith::mul, c.a, y));      // a · -y = -(a · y)
    const Def *u, *v;
    if (!c.regroups()) return nullptr;
    if (k && c.isa(arith::mul, c.b, u, v))
        if (auto d = c.factor(mpfr_mul, c.a, u)) return c.make(arith::mul, d, v); // k · (d · v) = (k · d) · v
    if (k && c.isa(arith::div, c.b, u, v))
        if (auto d = c.factor(mpfr_mul, c.a, u)) return c.make(arith::div, d, v); // k · (d / v) = (k · d) / v
    return nullptr;
}

/// 1/k, if this is exact, or good enough for the mode.
const Def* reciprocal(const Arith& c, uint64_t k) {
    auto& f = *c.format;
    if (!f.is_normal(k)) return nullptr;
    bool exact;
    auto r = apply(f, mpfr_div, f.one(), k, &exact);
    return f.is_normal(r) && (exact || c.mode.permits(Mode::arcp)) ? c.lit(r) : nullptr;
}

const Def* div(const Arith& c) {
    if (c.is_one(c.b)) return c.a;                 // a / 1 = a
    if (c.is_one(c.b, true)) return c.negate(c.a); // a / -1 = -a
    if (c.a == c.b && c.mode.permits(Mode::nnan) && c.format) return c.lit(c.format->one());
    if (c.mode.permits(Mode::nnan | Mode::nsz) && c.is_any_zero(c.a)) return c.lit(0); // 0 / b = 0, of numbers
    auto k = c.value(c.a), d = c.value(c.b);
    if (d)
        if (auto r = reciprocal(c, *d)) return c.make(arith::mul, r, c.a); // a / d = 1/d · a
    auto x = c.isa_minus(c.a), y = c.isa_minus(c.b);
    if (x && y) return c.make(arith::div, x, y);             // -x / -y = x / y
    if (x && d) return c.make(arith::div, x, c.negated(*d)); // -x / d = x / -d
    if (k && y) return c.make(arith::div, c.negated(*k), y); // k / -y = -k / y
    if (x) return c.negate(c.make(arith::div, x, c.b));      // -x / b = -(x / b)
    if (y) return c.negate(c.make(arith::div, c.a, y));      // a / -y = -(a / y)
    return nullptr;
}

const Def* rem(const Arith& c) {
    if (c.is_any_zero(c.a) && c.mode.permits(Mode::nnan)) return c.a; // ±0 mod b = ±0, of numbers
    if (auto y = c.isa_minus(c.b)) return c.make(arith::rem, c.a, y); // the sign of the divisor does not matter
    if (auto d = c.value(c.b); d && c.format->is_neg(*d)) return c.make(arith::rem, c.a, c.negated(*d));
    const Def *x, *y;
    if (c.isa(arith::rem, c.a, x, y) && y == c.b) return c.a; // (x mod b) mod b = x mod b
    return nullptr;
}

} // namespace

const Def* normalize_arith(const Redex& redex) {
    using Law                                  = const Def* (*)(const Arith&);
    static constexpr std::array<Law, 5> laws   = {add, sub, mul, div, rem};
    static constexpr std::array<Binary, 5> ops = {mpfr_add, mpfr_sub, mpfr_mul, mpfr_div, mpfr_fmod};

    Arith c(redex);
    auto sub = c.sub();
    auto x = c.value(c.a), y = c.value(c.b);
    if (x && y) return c.fold(apply(*c.format, ops[sub], *x, *y), *x, *y);
    return laws[sub](c);
}

} // namespace mim::plug::math
