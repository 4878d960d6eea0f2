// SPDX-License-Identifier: MIT
#include "emit/float.h"

#include "math/diagnostics.h"

namespace mim::plug::math {

namespace {

Format known_format(Emit& e, const Def* pe, const Def* at) {
    if (auto f = format_of(pe)) return *f;
    auto& w = e.world();
    e.error(at, diag::float_format(w.call<F>(pe)));
    return binary64;
}

} // namespace

Float::Float(Emit& e, const Def* pe, const Def* at)
    : e(e)
    , format(known_format(e, pe, at)) {}

Type Float::rep() const {
    if (is_double()) return e.float_type(backend::Float::F64);
    return e.float_type(format.width() == 16 ? backend::Float::F16 : backend::Float::F32);
}
Type Float::bits() const { return e.int_type(format.width()); }
Type Float::work() const { return is_brain() ? e.float_type(backend::Float::F32) : rep(); }
Type Float::libm() const { return e.float_type(is_double() ? backend::Float::F64 : backend::Float::F32); }

/// A brain float is the upper half of a number in single precision.
Value Float::in(Value v) const {
    if (!is_brain()) return v;
    auto i32 = e.int_type(32);
    return e.cast(Bit, e.bin(Shl, e.resize(e.cast(Bit, v, bits()), i32), e.int_const(i32, 16)), work());
}

Value Float::out(Value v) const { return is_brain() ? narrow_to_brain(v) : v; }

/// Adds just under half of the last bit that remains, and a little more if that bit is set; a NaN stays one.
Value Float::narrow_to_brain(Value single) const {
    auto i32  = e.int_type(32);
    auto n    = [&](uint64_t k) { return e.int_const(i32, k); };
    auto all  = e.cast(Bit, single, i32);
    auto odd  = e.bin(And, e.bin(LShr, all, n(16)), n(1));
    auto near = e.bin(Add, all, e.bin(Add, odd, n(0x7fff)));
    auto some = e.select(e.fcmp(FCmp::Uno, single, single), e.bin(Or, all, n(0x400000)), near);
    return e.cast(Bit, e.resize(e.bin(LShr, some, n(16)), bits()), rep());
}

Value Float::to_libm(Value v) const { return is_half() ? e.cast(FPExt, v, libm()) : in(v); }
Value Float::from_libm(Value v) const { return is_half() ? e.cast(FPTrunc, v, rep()) : out(v); }

Value narrow_to_odd(Emit& e, Value wide) {
    auto i32    = e.int_type(32);
    auto one    = e.int_const(i32, 1);
    auto narrow = e.cast(FPTrunc, wide, e.float_type(backend::Float::F32));
    auto back   = e.cast(FPExt, narrow, e.type_of(wide));
    auto size   = [&](Value v) { return e.intrinsic("llvm.fabs", {e.type_of(v)}, {v}); };
    auto bits   = e.cast(Bit, narrow, i32);
    auto up     = e.resize(e.fcmp(FCmp::OGt, size(back), size(wide)), i32); // rounded away from zero: one too many
    auto odd    = e.bin(Or, e.bin(Sub, bits, up), one);
    return e.cast(Bit, e.select(e.fcmp(FCmp::UNe, back, wide), odd, bits), e.float_type(backend::Float::F32));
}

/*
 * operations
 */

namespace {

constexpr unsigned nnan = 1, ninf = 2;

unsigned mode_of(const Def* m) { return unsigned(value(m).value_or(0) & 127); }

} // namespace

FloatOp::FloatOp(Emit& e, const Def* app)
    : Float(e, group(app, 0), app)
    , app(app)
    , arg(arg_of(app))
    , mode_(mode_of(group(app, 1))) {
    // LLVM must not conclude from a flag that what is checked cannot happen.
    flags = (e.checked() ? mode_ & ~(nnan | ninf) : mode_) << backend::FastMathShift;
}

Value FloatOp::check(Value v) const {
    if (!e.checked() || !(mode_ & (nnan | ninf))) return v;
    auto x = in(v);
    if (mode_ & nnan) e.trap_if(e.fcmp(FCmp::Uno, x, x), app, "a NaN");
    if (mode_ & ninf) {
        auto inf  = in(constant(format.inf()));
        auto size = e.intrinsic("llvm.fabs", {work()}, {x});
        e.trap_if(e.fcmp(FCmp::OEq, size, inf), app, "an infinity");
    }
    return v;
}

Value emit_inf(Emit& e, const Def* app) {
    Float f(e, arg_of(app), app);
    return f.constant(f.format.inf());
}

Value emit_nan(Emit& e, const Def* app) {
    Float f(e, arg_of(app), app);
    return f.constant(f.format.nan());
}

Type emit_type(Emit& e, const Def* type) { return Float(e, arg_of(type), type).rep(); }

} // namespace mim::plug::math
