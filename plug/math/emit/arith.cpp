// SPDX-License-Identifier: MIT
// Emitters of the operations that IEEE 754 fixes. Each is an instruction or an intrinsic that LLVM folds exactly.
#include "emit/float.h"

namespace mim::plug::math {

Value emit_arith(Emit& e, const Def* app) {
    static constexpr Bin ops[] = {FAdd, FSub, FMul, FDiv, FRem};
    FloatOp f(e, app);
    auto a = f.operand(0), b = f.operand(1);
    return f.check(f.out(e.bin(ops[sub_of(app)], f.in(a), f.in(b), f.flags)));
}

namespace {

/// Changes the sign bit alone. In 16 bits as an integer: a detour through single precision would change NaNs.
Value with_sign(FloatOp& f, bool flips) {
    auto& e = f.e;
    auto v  = f.operand();
    if (f.format.width() > 16) return flips ? e.fneg(v, f.flags) : e.intrinsic("llvm.fabs", {f.rep()}, {v}, f.flags);
    auto mask   = e.int_const(f.bits(), flips ? f.format.sign_bit() : f.format.sign_bit() - 1);
    auto result = e.bin(flips ? Xor : And, e.cast(Bit, v, f.bits()), mask);
    return e.cast(Bit, result, f.rep());
}

} // namespace

Value emit_minus(Emit& e, const Def* app) {
    FloatOp f(e, app);
    return with_sign(f, true);
}

Value emit_abs(Emit& e, const Def* app) {
    FloatOp f(e, app);
    return with_sign(f, false);
}

namespace {

/// The greater one, or the smaller one, of two of which none is a NaN. Where they are equal, they have the same bits or
/// are zeros. In a reduction, two instructions wait for the last result; of LLVM's own code for it, a dozen do.
Value extremum(FloatOp& f, bool is_max, Value a, Value b) {
    auto& e       = f.e;
    auto wins     = is_max ? FCmp::OGt : FCmp::OLt;
    auto a_if_not = e.select(e.fcmp(wins, b, a), b, a);
    auto b_if_not = e.select(e.fcmp(wins, a, b), a, b);
    auto both     = e.bin(is_max ? And : Or, e.cast(Bit, a_if_not, f.bits()), e.cast(Bit, b_if_not, f.bits()));
    return e.cast(Bit, both, f.work());
}

} // namespace

/// -0 is less than +0.
Value emit_extrema(Emit& e, const Def* app) {
    auto op          = extrema(sub_of(app));
    bool is_max      = op == extrema::fmax || op == extrema::ieee754max;
    bool ignores_nan = op == extrema::fmin || op == extrema::fmax;
    FloatOp f(e, app);
    auto a = f.in(f.operand(0)), b = f.in(f.operand(1));
    bool by_bits = ignores_nan && !f.flags && f.format.width() != 16;
    auto strict  = by_bits ? extremum(f, is_max, a, b)
                           : e.intrinsic(is_max ? "llvm.maximum" : "llvm.minimum", {f.work()}, {a, b}, f.flags);
    if (ignores_nan) {
        auto is_nan = [&](Value v) { return e.fcmp(FCmp::Uno, v, v); };
        strict      = e.select(is_nan(a), b, e.select(is_nan(b), a, strict));
    } else if (f.format.width() == 16) {
        // LLVM 19 may expand a vector of these so that a zero wins over a NaN (its comparison with zero leaves NaNs open). A sum has a NaN if
        // an operand is one.
        auto any_nan = e.fcmp(FCmp::Uno, a, b);
        auto sum     = e.bin(FAdd, a, b);
        strict       = e.select(any_nan, sum, strict);
    }
    return f.check(f.out(strict));
}

Value emit_round(Emit& e, const Def* app) {
    static constexpr const char* names[] = {"llvm.floor", "llvm.ceil", "llvm.round", "llvm.trunc"};
    FloatOp f(e, app);
    auto v = f.in(f.operand());
    return f.check(f.out(e.intrinsic(names[sub_of(app)], {f.work()}, {v}, f.flags)));
}

Value emit_cmp(Emit& e, const Def* app) {
    // Ours: U 8, G 4, L 2, E 1. LLVM's: unordered 8, less 4, greater 2, equal 1.
    unsigned rel = sub_of(app);
    auto op      = FCmp((rel & 9) | (rel & 4) >> 1 | (rel & 2) << 1);
    FloatOp f(e, app);
    auto a = f.in(f.operand(0)), b = f.in(f.operand(1));
    return e.fcmp(op, a, b, f.flags);
}

} // namespace mim::plug::math
