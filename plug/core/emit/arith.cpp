// SPDX-License-Identifier: MIT
// Emitters of %core.nat, %core.wrap, %core.div and %core.abs. With --checked, each exact result is computed in 128 bits and compared.
#include <array>

#include "emit/greatest.h"
#include "emit/int.h"

namespace mim::plug::core {

namespace {

/// The result and the overflow of an intrinsic such as llvm.uadd.with.overflow.
Value trapping(Emit& e, const char* name, Value a, Value b, const Def* at) {
    auto r = e.intrinsic(name, {e.type_of(a)}, {a, b});
    e.trap_if(e.extract_value(r, 1), at, "overflow");
    return e.extract_value(r, 0);
}

} // namespace

/// No flags: reassociation may have made partial products that wrap although the whole does not.
Value emit_nat(Emit& e, const Def* app) {
    auto [a, b] = e.elems<2>(arg_of(app));
    switch (nat(sub_of(app))) {
        case nat::sub: return e.intrinsic("llvm.usub.sat", {e.type_of(a)}, {a, b});
        case nat::add: return e.checked() ? trapping(e, "llvm.uadd.with.overflow", a, b, app) : e.bin(Add, a, b);
        case nat::mul: break;
    }
    return e.checked() ? trapping(e, "llvm.umul.with.overflow", a, b, app) : e.bin(Mul, a, b);
}

namespace {

struct WrapOp {
    Int num;
    EmitMode mode;
    Value a, b;
    const Def* app;
    Emit& e() const { return num.e; }
};

/// Traps unless the exact result of `op` is what the mode promises.
void check(const WrapOp& c, wrap op) {
    auto& e = c.e();
    for (bool is_signed : {false, true}) {
        if (!(is_signed ? c.mode.nsw : c.mode.nuw)) continue;
        auto what = is_signed ? "signed overflow" : "unsigned overflow";
        if (op == wrap::sub && !is_signed) {
            e.trap_if(e.cmp(ULt, c.a, c.b), c.app, what);
            continue;
        }
        auto x = c.num.exact(c.a, is_signed);
        if (op != wrap::shl) {
            auto y   = c.num.exact(c.b, is_signed);
            auto bin = op == wrap::add ? Add : op == wrap::sub ? Sub : Mul;
            e.trap_if(e.not_(c.num.fits(e.bin(bin, x, y), is_signed)), c.app, what);
            continue;
        }
        // Numbers other than 0 overflow every size when they are shifted by 64 or more.
        auto k       = e.resize(c.b, e.int_type(64));
        auto far     = e.cmp(UGe, k, e.i64(64));
        auto shifted = e.bin(Shl, x, e.resize(e.umin(k, e.i64(63)), c.num.i128()));
        auto fits    = both(e, c.num.fits(shifted, is_signed), e.not_(far));
        auto is_zero = e.cmp(Eq, x, e.zero(c.num.i128()));
        e.trap_if(e.not_(either(e, fits, is_zero)), c.app, what);
    }
}

/// The last number is followed by 0. That it is the last one is an equation, which a branch around this may have decided.
Value successor(const Int& n, Value a) {
    auto& e   = n.e;
    auto last = e.cmp(Eq, a, e.int_const(n.rep, n.n - 1));
    return e.select(last, e.zero(n.rep), e.bin(Add, a, e.int_const(n.rep, 1), backend::NUW));
}

Value add(const WrapOp& c) {
    auto& n = c.num;
    if (n.kind == Int::Odd && is_value(mim::elem(c.e().world(), arg_of(c.app), 0), 1)) return successor(n, c.b);
    if (n.is_native()) return n.out(c.e().bin(Add, n.in(c.a), n.in(c.b), c.mode.flags()));
    return n.narrow(n.add(n.wide(c.a), n.wide(c.b)));
}

Value sub(const WrapOp& c) {
    auto& n = c.num;
    if (n.is_native()) return n.out(c.e().bin(Sub, n.in(c.a), n.in(c.b), c.mode.flags()));
    return n.narrow(n.sub(n.wide(c.a), n.wide(c.b)));
}

Value mul(const WrapOp& c) {
    auto& n = c.num;
    if (n.is_native()) return n.out(c.e().bin(Mul, n.in(c.a), n.in(c.b), c.mode.flags()));
    return n.narrow(n.mul(n.wide(c.a), n.wide(c.b)));
}

/// The numbers as they are passed around have room for the exact result; nothing has to be cut off, or to be reduced.
Value exact(const WrapOp& c, wrap op) {
    static constexpr std::array<Bin, 4> bins = {Add, Sub, Mul, Shl};
    return c.e().bin(bins[static_cast<size_t>(op)], c.a, c.b, backend::NUW);
}

/// In the target a shift by the width or more is undefined; here it is 0.
Value shl(const WrapOp& c) {
    auto& n = c.num;
    auto& e = c.e();
    if (n.is_native()) {
        auto a = n.in(c.a), b = n.in(c.b);
        if (greatest(arg_of(c.app), 1) < n.width) return n.out(e.bin(Shl, a, b, c.mode.flags()));
        auto ok = e.cmp(ULt, b, e.int_const(n.native(), n.width));
        if (n.width == 1) ok = e.not_(b);
        return n.out(e.select(ok, e.bin(Shl, a, b, c.mode.flags()), e.zero(n.native())));
    }
    auto a = n.wide(c.a), k = n.wide(c.b);
    constexpr uint64_t Direct = 58; // a · 2^k < 2^6 · 2^57 fits
    if (n.kind == Int::Odd && n.n <= Direct) return n.narrow(n.reduce(e.bin(Shl, a, k)));
    return n.narrow(n.mul(a, n.power_of_two(k)));
}

} // namespace

Value emit_wrap(Emit& e, const Def* app) {
    using Rule                                 = Value (*)(const WrapOp&);
    static constexpr std::array<Rule, 4> rules = {add, sub, mul, shl};

    auto op  = sub_of(app);
    auto arg = arg_of(app);
    Int num(e, group(app, 0));
    if (num.kind == Int::None) return {};
    WrapOp c{num, EmitMode(group(app, 1)), e.elem(arg, 0), e.elem(arg, 1), app};
    if (e.checked()) check(c, wrap(op));
    return !num.fills_target() && never_wraps(app) ? exact(c, wrap(op)) : rules[op](c);
}

namespace {

Value divide_unsigned(const Int& n, bool quotient, Value a, Value b) { return n.e.bin(quotient ? UDiv : URem, a, b); }

Value divide_signed(const Int& n, bool quotient, Value a, Value b, const Def* app) {
    auto& e = n.e;
    auto op = quotient ? SDiv : SRem;
    auto x  = n.is_native() ? n.in(a) : n.signed_wide(a);
    auto y  = n.is_native() ? n.in(b) : n.signed_wide(b);
    if (e.checked()) { // -least is no value
        auto minus_one    = e.neg(e.int_const(n.i128(), 1));
        auto by_minus_one = e.cmp(Eq, n.exact(b, true), minus_one);
        e.trap_if(both(e, by_minus_one, e.not_(n.fits(e.neg(n.exact(a, true)), true))), app, "signed overflow");
    }
    auto r = e.bin(op, x, y);
    if (n.is_native()) return n.out(r);
    auto fixed = e.select(e.cmp(SLt, r, e.i64(0)), e.bin(Add, r, n.size()), r);
    return n.narrow(fixed);
}

} // namespace

Value emit_div(Emit& e, const Def* app) {
    auto op   = core::div(sub_of(app));
    auto pair = e.world().extract(arg_of(app), 1);
    Int n(e, group(app, 0));
    if (n.kind == Int::None) { // the only divisor is 0
        if (e.checked()) e.trap_if(e.i1(true), app, "division by zero");
        return {};
    }
    auto a = e.elem(pair, 0), b = e.elem(pair, 1);
    if (e.checked()) e.trap_if(e.cmp(Eq, b, e.zero(e.type_of(b))), app, "division by zero");
    bool quotient = op == core::div::udiv || op == core::div::sdiv;
    if (op == core::div::udiv || op == core::div::urem) return divide_unsigned(n, quotient, a, b);
    return divide_signed(n, quotient, a, b, app);
}

/// Every divisor is defined, but instructions divide by none that is 0.
Value emit_quot(Emit& e, const Def* app) {
    auto op     = core::quot(sub_of(app));
    bool is_div = op == core::quot::div || op == core::quot::ndiv;
    bool is_nat = op == core::quot::ndiv || op == core::quot::nrem;
    if (!is_nat && Int(e, group(app, 0)).kind == Int::None) return {};
    auto [a, b]  = e.elems<2>(arg_of(app));
    auto divisor = isa_lit(mim::elem(e.world(), arg_of(app), 1));
    auto bin     = is_div ? UDiv : URem;
    if (divisor && divisor->value() != 0) return e.bin(bin, a, b);
    auto type    = e.type_of(b);
    auto is_zero = e.cmp(Eq, b, e.zero(type));
    auto result  = e.bin(bin, a, e.select(is_zero, e.int_const(type, 1), b));
    return e.select(is_zero, is_div ? e.zero(type) : a, result);
}

Value emit_abs(Emit& e, const Def* app) {
    Int n(e, group(app, 0));
    if (n.kind == Int::None) return {};
    auto a = e.elem(arg_of(app), 1);
    if (e.checked()) { // |least| is no value
        auto x = n.exact(a, true);
        e.trap_if(e.not_(n.fits(e.neg(x), true)), app, "signed overflow");
    }
    if (n.is_native()) return n.out(e.abs(n.in(a)));
    auto w = n.wide(a);
    return n.narrow(e.select(n.is_neg(w), e.bin(Sub, n.size(), w), w));
}

} // namespace mim::plug::core
