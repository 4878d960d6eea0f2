// SPDX-License-Identifier: MIT
// Emitters of %math.conv. Integers are converted by way of 64 bits. A size that is only known at run time is 0 for 2^64 (`Idx 0` has no
// values), and each formula here is written such that it is right for that, too.
#include "emit/float.h"

namespace mim::plug::math {

namespace {

/// The integers of type `Idx s`.
struct Int {
    Int(Emit& e, const Def* s)
        : e(e)
        , type(e.type(e.world().idx(s)))
        , size(s->isa<Lit>() ? e.i64(s == e.world().lit_2_64() ? 0 : isa_lit(s)->value()) : e.emit(s))
        , is_all(s == e.world().lit_2_64()) {}

    Emit& e;
    Type type;   ///< of values; empty if there is at most one
    Value size;  ///< in 64 bits
    bool is_all; ///< s is 2^64

    Type i64() const { return e.int_type(64); }
    Value last_positive() const { return e.bin(LShr, e.bin(Sub, size, e.i64(1)), e.i64(1)); } ///< ⌊(s-1)/2⌋
    /// The signed reading of a value.
    Value read_signed(Value v) const {
        auto wide = e.resize(v, i64());
        if (is_all) return wide;
        return e.select(e.cmp(Cmp::UGt, wide, last_positive()), e.bin(Sub, wide, size), wide);
    }
    /// The value whose signed reading this is.
    Value write_signed(Value wide) const {
        if (!is_all) wide = e.select(e.cmp(Cmp::SLt, wide, e.i64(0)), e.bin(Add, wide, size), wide);
        return e.resize(wide, type);
    }
};

/// BF16 has the range of single precision and few bits, so that rounding to single precision first would round twice: bits that are cut
/// off anyway are put together in one, such that a double holds what remains.
Value integer_to_brain(Emit& e, const Float& f, Value wide, bool is_signed) {
    auto i64    = e.int_type(64);
    auto n      = [&](uint64_t k) { return e.int_const(i64, k); };
    auto is_neg = is_signed ? e.cmp(Cmp::SLt, wide, n(0)) : e.i1(false);
    auto size   = e.select(is_neg, e.neg(wide), wide);
    auto low    = e.bin(And, size, n(0xffff));
    auto sticky = e.select(e.cmp(Cmp::Ne, low, n(0)), n(0x8000), n(0));
    auto few    = e.bin(Or, e.bin(Sub, size, low), sticky);
    auto is_big = e.cmp(Cmp::UGe, size, n(uint64_t(1) << 32));
    auto f64    = e.float_type(backend::Float::F64);
    auto number = e.cast(UIToFP, e.select(is_big, few, size), f64);
    return f.out(narrow_to_odd(e, e.select(is_neg, e.fneg(number), number)));
}

Value from_integer(Emit& e, const Def* app, bool is_signed) {
    Int from(e, group(app, 0));
    Float to(e, group(app, 1), app);
    if (!from.type) return e.zero(to.rep());
    auto v    = e.emit(arg_of(app));
    auto wide = is_signed ? from.read_signed(v) : e.resize(v, from.i64());
    if (to.is_brain()) return integer_to_brain(e, to, wide, is_signed);
    // For F16, LLVM may go by way of single precision: all integers that F16 has fit there.
    return e.cast(is_signed ? SIToFP : UIToFP, wide, to.rep());
}

constexpr std::string_view outside = "a result outside of its type";

/// With --checked, traps if the number is not in the range. Bounds are compared in 64 bits, once it fits these.
void check_range(Emit& e, const Int& to, Value v, bool is_signed, const Def* app) {
    auto f64   = e.float_type(backend::Float::F64);
    auto power = [&](uint64_t exponent) { return e.float_bits(f64, (1023 + exponent) << 52); };
    auto whole = e.intrinsic("llvm.trunc", {f64}, {e.cast(FPExt, v, f64)});
    auto least = is_signed ? e.fneg(power(63)) : e.zero(f64);
    e.trap_if(e.not_(e.fcmp(FCmp::OGe, whole, least)), app, outside);
    e.trap_if(e.fcmp(FCmp::OGe, whole, power(is_signed ? 63 : 64)), app, outside);
    auto n = e.cast(is_signed ? FPToSI : FPToUI, whole, to.i64());
    if (!is_signed) {
        e.trap_if(e.cmp(Cmp::UGt, n, e.bin(Sub, to.size, e.i64(1))), app, outside);
        return;
    }
    auto last    = to.last_positive();
    auto is_even = e.bin(Xor, e.bin(And, to.size, e.i64(1)), e.i64(1));
    e.trap_if(e.cmp(Cmp::SGt, n, last), app, outside);
    e.trap_if(e.cmp(Cmp::SLt, n, e.neg(e.bin(Add, last, is_even))), app, outside);
}

Value to_integer(Emit& e, const Def* app, bool is_signed) {
    Float from(e, group(app, 0), app);
    Int to(e, group(app, 1));
    auto v = from.in(e.emit(arg_of(app)));
    if (e.checked()) check_range(e, to, v, is_signed, app);
    if (!to.type) return {};
    auto wide = e.cast(is_signed ? FPToSI : FPToUI, v, to.i64());
    return is_signed ? to.write_signed(wide) : e.resize(wide, to.type);
}

Value to_format(Emit& e, const Def* app) {
    Float from(e, group(app, 0), app), to(e, group(app, 1), app);
    auto v = e.emit(arg_of(app));
    if (from.format == to.format) return v;
    if (to.is_brain()) return to.out(from.is_double() ? narrow_to_odd(e, v) : from.to_libm(v));
    v = from.in(v);
    return e.cast(e.bits(e.type_of(v)) < e.bits(to.rep()) ? FPExt : FPTrunc, v, to.rep());
}

} // namespace

Value emit_conv(Emit& e, const Def* app) {
    switch (conv(sub_of(app))) {
        case conv::s2f: return from_integer(e, app, true);
        case conv::u2f: return from_integer(e, app, false);
        case conv::f2s: return to_integer(e, app, true);
        case conv::f2u: return to_integer(e, app, false);
        case conv::f2f: return to_format(e, app);
    }
    return {};
}

} // namespace mim::plug::math
