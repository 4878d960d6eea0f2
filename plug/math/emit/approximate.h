// SPDX-License-Identifier: MIT
// Code for functions of <math.h> that calls nothing and has no branches, so that loops of it become vector code, and
// which is the code of all lanes of a vector at once. Allowed by the mode `afn`. Off by at most 4 units in the last
// place everywhere, subnormal numbers, infinities, NaNs and zeros included (README.md has what was measured).
//
// Nothing here relies on fused multiplication and addition, and nothing on their absence: where a product must be
// exact, its factors are short.
#pragma once
#include <span>

#include "emit/float.h"

namespace mim::plug::math {

/// Computes in single or in double precision.
class Approximate {
public:
    Approximate(Emit&, bool is_double);

    Value exp(Value x);
    Value log(Value x);
    Value tanh(Value x);
    /// For |x| below `turn_limit`; anything for others.
    Value sin(Value x) { return turn(x, 0); }
    Value cos(Value x) { return turn(x, 1); }
    /// Whether sin and cos do not hold for the number: it is so large that few of its bits say where on the circle it
    /// is, or it is infinite, or a NaN.
    Value is_beyond_turns(Value x);

private:
    /// The integer that is nearest to x · factor.
    struct Nearest {
        Value count; ///< its last bits, as an integer; beyond them is a constant
        Value number;
    };
    Nearest nearest(Value x, double factor);
    /// A number as a multiple of ln 2 and what remains.
    struct Split {
        Value times;    ///< the multiple, an integer, as bits that count from 0
        Value rest_exp; ///< e to the power of what remains, minus 1
    };
    Split split(Value x);
    /// Two to the power of n - bias: a number of the type if that is one.
    Value power(Value biased) { return e_.cast(Bit, e_.bin(Shl, biased, whole(fraction_)), float_); }
    /// The sum of two numbers after a multiple of pi / 2 is subtracted, and the last bits of which multiple it was.
    struct Angle {
        Value count, high, low;
    };
    Angle angle(Value x);
    /// The sine of x + quarters · pi / 2.
    Value turn(Value x, uint64_t quarters);
    Value turn_short(Value x, uint64_t quarters);
    Value of_quarter(Value count, Value sin, Value cos);

    Value number(double) const;
    Value whole(uint64_t n) const { return e_.int_const(int_, n); }
    Value bits(Value x) { return e_.cast(Bit, x, int_); }
    Value add(Value a, Value b) { return e_.bin(FAdd, a, b); }
    Value sub(Value a, Value b) { return e_.bin(FSub, a, b); }
    Value mul(Value a, Value b) { return e_.bin(FMul, a, b); }
    /// a * b + c, rounded once or twice.
    Value mul_add(Value a, Value b, Value c) { return e_.intrinsic("llvm.fmuladd", {float_}, {a, b, c}); }
    Value abs(Value x) { return e_.intrinsic("llvm.fabs", {float_}, {x}); }
    Value with_sign_of(Value x, Value sign) { return e_.intrinsic("llvm.copysign", {float_}, {x, sign}); }
    Value polynomial(Value x, std::span<const double> coefficients);
    double magic() const { return is_double_ ? 0x1.8p52 : 0x1.8p23; }

    Emit& e_;
    bool is_double_;
    unsigned fraction_; ///< bits of fraction
    uint64_t bias_;     ///< of exponents
    Type float_, int_;
};

} // namespace mim::plug::math
