// SPDX-License-Identifier: MIT
// Operations on scalars.
#include "code.h"
#include "core/annexes.h"
#include "kit/match.h"
#include "math/annexes.h"
#include "rise/annexes.h"

namespace mim::plug::rise {

const Def* Arithmetic::zero(const Def* like) { return w.lit_idx(isa_idx(like->type()), 0); }
const Def* Arithmetic::negated(const Def* a) { return w.call(core::wrap::sub, 0, {zero(a), a}); }
const Def* Arithmetic::negative(const Def* a) { return w.call(core::icmp::xYgLe, {a, zero(a)}); }

/// The quotient of the absolute values, whose sign is that of the factors; the remainder has that of the dividend.
const Def* Arithmetic::divided(bool is_quotient, const ScalarType& t, const Def* a, const Def* b) {
    auto op = is_quotient ? core::quot::div : core::quot::rem;
    if (t.kind != ScalarType::Signed) return w.call(op, {a, b});
    auto x = w.select(negative(a), negated(a), a);
    auto y = w.select(negative(b), negated(b), b);
    auto q = w.call(op, {x, y});
    auto n = negated(q);
    if (!is_quotient) return w.select(negative(a), n, q);
    return w.select(negative(a), w.select(negative(b), q, n), w.select(negative(b), n, q));
}

const Def* Arithmetic::whole(uint16_t sub, const ScalarType& t, const Def* a, const Def* b) {
    auto op      = rise::number(sub);
    auto is_less = w.call(t.kind == ScalarType::Signed ? core::icmp::xYgLe : core::icmp::XygLe, {a, b});
    switch (op) {
        case rise::number::add: return w.call(core::wrap::add, 0, {a, b});
        case rise::number::mul: return w.call(core::wrap::mul, 0, {a, b});
        case rise::number::min: return w.select(is_less, a, b);
        case rise::number::max: return w.select(is_less, b, a);
        case rise::number::sub: {
            auto difference = w.call(core::wrap::sub, 0, {a, b});
            return t.kind == ScalarType::Nat ? w.select(is_less, zero(a), difference) : difference;
        }
        default: return divided(op == rise::number::div, t, a, b);
    }
}

const Def* Arithmetic::number(uint16_t sub, const ScalarType& t, const Def* type, const Def* a, const Def* b) {
    if (t.kind != ScalarType::Float) return whole(sub, t, a, b);
    auto format  = arg_of(type);
    auto mode    = w.lit_nat(0);
    auto arith   = [&](math::arith op) { return w.apply(op, format, {mode}, {a, b}); };
    auto extreme = [&](math::extrema op) { return w.apply(op, format, {mode}, {a, b}); };
    switch (rise::number(sub)) {
        case rise::number::add: return arith(math::arith::add);
        case rise::number::sub: return arith(math::arith::sub);
        case rise::number::mul: return arith(math::arith::mul);
        case rise::number::div: return arith(math::arith::div);
        case rise::number::min: return extreme(math::extrema::fmin);
        default: return extreme(math::extrema::fmax);
    }
}

const Def* Arithmetic::unary(uint16_t sub, const ScalarType& t, const Def* type, const Def* a) {
    auto op = rise::unary(sub);
    if (t.kind != ScalarType::Float) {
        bool is_neg   = op == rise::unary::neg;
        bool has_sign = t.kind == ScalarType::Signed;
        if (t.kind == ScalarType::Nat) return is_neg ? zero(a) : a;
        if (is_neg) return negated(a);
        return has_sign ? w.select(negative(a), negated(a), a) : a;
    }
    auto format = arg_of(type);
    auto mode   = w.lit_nat(0);
    switch (op) {
        case rise::unary::neg: return w.apply<math::minus>(format, {mode}, {a});
        case rise::unary::abs: return w.apply<math::abs>(format, {mode}, {a});
        case rise::unary::floor: return w.apply(math::round::f, format, {mode}, {a});
        case rise::unary::sqrt: return w.apply(math::rt::sq, format, {mode}, {a});
        case rise::unary::exp: return w.apply(math::exp::exp, format, {mode}, {a});
        case rise::unary::log: return w.apply(math::exp::log, format, {mode}, {a});
        case rise::unary::sin: return w.apply(math::tri::sin, format, {mode}, {a});
        case rise::unary::cos: return w.apply(math::tri::cos, format, {mode}, {a});
        case rise::unary::tan: return w.apply(math::tri::tan, format, {mode}, {a});
        case rise::unary::tanh: return w.apply(math::tri::tanh, format, {mode}, {a});
        default: break;
    }
    auto word = t.bits == 64 ? 0x3ff0000000000000u : t.bits == 32 ? 0x3f800000u : 0x3c00u;
    auto root = w.apply(math::rt::sq, format, {mode}, {a});
    return w.apply(math::arith::div, format, {mode}, {w.raw_lit(type, word), root});
}

/// In double precision where the processor has no such operation.
const Def* Arithmetic::fma(const Def* type, const Def* a, const Def* b, const Def* c) {
    if (scalar_of(type).bits != 16) return w.apply<rise::fma>({type}, {a}, {b}, {c});
    auto wide   = w.app(w.annex(math::F(0)), {w.lit_nat(52), w.lit_nat(11)});
    auto widen  = [&](const Def* x) { return cast(type, wide, x); };
    auto result = w.apply<rise::fma>({wide}, {widen(a)}, {widen(b)}, {widen(c)});
    return cast(wide, type, result);
}

const Def* Arithmetic::compare(uint16_t sub, const ScalarType& t, const Def* type, const Def* a, const Def* b) {
    constexpr math::cmp floats[]      = {math::cmp::l, math::cmp::le, math::cmp::g, math::cmp::ge, math::cmp::e, math::cmp::une};
    constexpr core::icmp signed_ops[] = {core::icmp::xYgLe, core::icmp::xYgLE, core::icmp::XyGle,
                                         core::icmp::XyGlE, core::icmp::xyglE, core::icmp::XYGLe};
    constexpr core::icmp unsigned_ops[] = {core::icmp::XygLe, core::icmp::XygLE, core::icmp::xYGle,
                                           core::icmp::xYGlE, core::icmp::xyglE, core::icmp::XYGLe};
    if (t.kind == ScalarType::Float) return w.apply(floats[sub], arg_of(type), {w.lit_nat(0)}, {a, b});
    return w.call(t.kind == ScalarType::Signed ? signed_ops[sub] : unsigned_ops[sub], {a, b});
}

const Def* Arithmetic::cast(const Def* from, const Def* to, const Def* a) {
    auto s = scalar_of(from), t = scalar_of(to);
    bool has_sign = s.kind == ScalarType::Signed;
    if (t.kind == ScalarType::Bool) {
        if (s.kind != ScalarType::Float) return w.call(core::icmp::XYGLe, {a, zero(a)});
        return w.apply(math::cmp::une, arg_of(from), {w.lit_nat(0)}, {a, w.raw_lit(from, 0)});
    }
    if (t.kind == ScalarType::Float) {
        if (s.kind == ScalarType::Float) return from == to ? a : w.apply(math::conv::f2f, arg_of(from), arg_of(to), {a});
        return w.apply(has_sign ? math::conv::s2f : math::conv::u2f, {isa_idx(a->type())}, arg_of(to), {a});
    }
    auto size = isa_idx(c_.scalar_type(to));
    if (s.kind == ScalarType::Float)
        return w.apply(t.kind == ScalarType::Signed ? math::conv::f2s : math::conv::f2u, arg_of(from), {size}, {a});
    if (isa_idx(a->type()) == size) return a;
    return w.call(has_sign ? core::conv::s : core::conv::u, size, a);
}

} // namespace mim::plug::rise
