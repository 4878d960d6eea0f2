// SPDX-License-Identifier: MIT
// %math.minus, %math.abs and %math.round. The first two only touch the sign bit, also of a NaN.
#include <array>

#include "normalize/common.h"
#include "number.h"

namespace mim::plug::math {

const Def* normalize_minus(World& w, const Def* type, const Def* callee, const Def* arg) {
    Op c(w, type, callee);
    if (auto v = c.value(arg)) return c.fold(*v ^ c.format->sign_bit(), *v);
    if (auto x = c.isa_minus(arg)) return x; // -(-x) = x
    auto inner = match(arith::sub, arg);     // -(x - y) = y - x, but for zeros
    if (inner && group(inner.callee()) == c.m && c.mode.permits(Mode::nsz))
        return w.app(inner.callee(), {elem(w, inner.arg(), 1), elem(w, inner.arg(), 0)});
    return nullptr;
}

const Def* normalize_abs(World& w, const Def* type, const Def* callee, const Def* arg) {
    Op c(w, type, callee);
    if (auto v = c.value(arg)) return c.fold(c.format->magnitude(*v), *v);
    if (match<abs>(arg)) return arg;                         // ||x|| = |x|
    if (auto x = c.isa_minus(arg)) return c.make(abs(0), x); // |-x| = |x|
    return nullptr;
}

const Def* normalize_round(World& w, const Def* type, const Def* callee, const Def* arg) {
    // MPFR rounds to the nearest integer of the result's precision: the operand's, which has no more.
    static constexpr std::array<int (*)(mpfr_ptr, mpfr_srcptr), 4> ops = {mpfr_floor, mpfr_ceil, mpfr_round, mpfr_trunc};
    Op c(w, type, callee);
    if (auto v = c.value(arg)) {
        Number x(*c.format, *v), r(c.format->p + 1);
        ops[sub_of(callee)](r.get(), x.get());
        return c.fold(r.round(*c.format, false), *v);
    }
    if (match<math::round>(arg)) return arg; // an integer already
    if (auto from = match<conv>(arg); from && (from.sub() == conv::s2f || from.sub() == conv::u2f)) return arg;
    return nullptr;
}

} // namespace mim::plug::math
