// SPDX-License-Identifier: MIT
// %math.minus, %math.abs and %math.round. The first two only touch the sign bit, also of a NaN.
#include <array>

#include "normalize/common.h"
#include "number.h"

namespace mim::plug::math {

const Def* normalize_minus(const Redex& redex) {
    Op c(redex);
    if (auto v = c.value(c.arg)) return c.fold(*v ^ c.format->sign_bit(), *v);
    if (auto x = c.isa_minus(c.arg)) return x; // -(-x) = x
    const Def *x, *y;
    bool swaps = c.isa(arith::sub, c.arg, x, y) && c.mode.permits(Mode::nsz);
    return swaps ? c.make(arith::sub, y, x) : nullptr; // -(x - y) = y - x, but for zeros
}

const Def* normalize_abs(const Redex& redex) {
    Op c(redex);
    if (auto v = c.value(c.arg)) return c.fold(c.format->magnitude(*v), *v);
    if (match<abs>(c.arg)) return c.arg;                       // ||x|| = |x|
    if (auto x = c.isa_minus(c.arg)) return c.make(abs(0), x); // |-x| = |x|
    return nullptr;
}

const Def* normalize_round(const Redex& redex) {
    // MPFR rounds to the nearest integer of the result's precision: the operand's, which has no more.
    static constexpr std::array<int (*)(mpfr_ptr, mpfr_srcptr), 4> ops = {mpfr_floor, mpfr_ceil, mpfr_round, mpfr_trunc};
    Op c(redex);
    if (auto v = c.value(c.arg)) {
        Number x(*c.format, *v), r(c.format->p + 1);
        ops[c.sub()](r.get(), x.get());
        return c.fold(r.round(*c.format, false), *v);
    }
    if (match<math::round>(c.arg)) return c.arg; // an integer already
    if (auto from = match<conv>(c.arg); from && (from.sub() == conv::s2f || from.sub() == conv::u2f)) return c.arg;
    return nullptr;
}

} // namespace mim::plug::math
