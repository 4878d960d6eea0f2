// SPDX-License-Identifier: MIT
// How floats are computed with in a target. F32 and F64 are the target's own. F16 is the target's type `half`, whose operations LLVM
// does in single precision where the processor has none, rounding after each one. BF16 is only a type of values: its operations are
// done in single precision, and conversions are written out, since what processors offer for them flushes small numbers to zero. They
// travel as `half`, which C passes alike and nothing computes with: LLVM does such conversions where it only moves a `bfloat`.
#pragma once
#include "backend/emit.h"
#include "format.h"
#include "kit/match.h"
#include "math/annexes.h"

namespace mim::plug::math {

using enum backend::Bin;
using enum backend::Cast;
using backend::Bin;
using backend::Cmp;
using backend::Emit;
using backend::FCmp;
using backend::Type;
using backend::Value;

class Float {
public:
    /// Of the format `pe`; reports an error at `at` if it is none that the target knows.
    Float(Emit&, const Def* pe, const Def* at);

    Emit& e;
    Format format;

    bool is_double() const { return format == binary64; }
    bool is_half() const { return format == binary16; }
    bool is_brain() const { return format == bfloat16; }
    Type rep() const;         ///< of values
    Type bits() const;        ///< the integer of the same width
    Type work() const;        ///< in which arithmetic is done
    Value in(Value v) const;  ///< a value in `work`
    Value out(Value v) const; ///< rounded to a value
    Type libm() const;        ///< in which the C library computes: single or double
    Value to_libm(Value v) const;
    Value from_libm(Value v) const;
    Value constant(uint64_t v) const { return e.float_bits(rep(), v); }

private:
    Value narrow_to_brain(Value single) const;
};

/// Single precision, so that no later rounding to fewer bits goes wrong: what was cut off shows in the last bit ("round to odd").
Value narrow_to_odd(Emit&, Value wide);

/// An operation `axiom @(p, e) m arg`.
class FloatOp : public Float {
public:
    FloatOp(Emit& e, const Def* app);

    const Def *app, *arg;
    uint32_t flags; ///< of the facade; without what --checked traps
    bool permits(unsigned mode_flags) const { return (mode_ & mode_flags) == mode_flags; }

    /// The i-th argument, and the only one; trapped if the mode forbids its value.
    Value operand(size_t i) const { return check(e.elem(arg, i)); }
    Value operand() const { return check(e.emit(arg)); }
    /// With --checked, traps if the mode forbids the value.
    Value check(Value) const;

private:
    unsigned mode_;
};

OpEmitterFn emit_inf, emit_nan, emit_arith, emit_minus, emit_abs, emit_extrema, emit_round, emit_tri, emit_pow, emit_rt, emit_exp,
    emit_er, emit_gamma, emit_cmp, emit_conv;
Type emit_type(Emit&, const Def* type);

} // namespace mim::plug::math
