// SPDX-License-Identifier: MIT
// Laws of numbers that are not rounded hold of floats as far as the mode says that nobody sees the difference.
#include "polara/fold.h"

#include <bit>

#include "ainf/list/scalars.h"
#include "ainf/list/types.h"

namespace mim::plug::polara {

namespace {

using ainf::Op;

constexpr uint64_t kNoNaN = 1, kNoSignedZero = 4;

/// A law of an operation one of whose operands is this literal: the result is an operand, if the mode has what it needs.
struct Unit {
    Op op;
    uint64_t bits;
    enum Side : uint8_t { Left, Right, Both } side;
    enum Result : uint8_t { Literal, Other } result;
    uint64_t needs = 0;
};

constexpr uint64_t kAbsorbs = kNoNaN | kNoSignedZero;
constexpr uint64_t kOne = std::bit_cast<uint64_t>(1.0), kMinusZero = std::bit_cast<uint64_t>(-0.0);
constexpr Unit kUnits[] = {
    {Op::NatAdd, 0, Unit::Both, Unit::Other},
    {Op::NatSub, 0, Unit::Left, Unit::Literal},
    {Op::NatSub, 0, Unit::Right, Unit::Other},
    {Op::NatMul, 0, Unit::Both, Unit::Literal},
    {Op::NatMul, 1, Unit::Both, Unit::Other},
    {Op::NatDiv, 0, Unit::Both, Unit::Literal},
    {Op::NatDiv, 1, Unit::Right, Unit::Other},
    {Op::FltAdd, 0, Unit::Both, Unit::Other, kNoSignedZero},
    {Op::FltAdd, kMinusZero, Unit::Both, Unit::Other, kNoSignedZero},
    {Op::FltSub, 0, Unit::Right, Unit::Other},
    {Op::FltSub, kMinusZero, Unit::Right, Unit::Other, kNoSignedZero},
    {Op::FltMul, kOne, Unit::Both, Unit::Other},
    {Op::FltMul, 0, Unit::Both, Unit::Literal, kAbsorbs},
    {Op::FltMul, kMinusZero, Unit::Both, Unit::Literal, kAbsorbs},
};

/// One of the operands at least is no literal.
Simple fold_unit(Op op, uint64_t mode, const Lit* x, const Lit* y) {
    for (auto& unit : kUnits) {
        if (unit.op != op || (mode & unit.needs) != unit.needs) continue;
        bool is_left  = x && x->value() == unit.bits && unit.side != Unit::Right;
        bool is_right = y && y->value() == unit.bits && unit.side != Unit::Left;
        if (is_left || is_right) return {.same_as = is_left == (unit.result == Unit::Literal) ? size_t(0) : size_t(1)};
    }
    return {};
}

/// Numbers without a sign, or floats.
bool compares(World& w, Op op, const Lit* x, const Lit* y) {
    bool is_less = op == Op::Less;
    if (ainf::is_float(w, x->type())) {
        auto a = ainf::float_value(x), b = ainf::float_value(y);
        return is_less ? a < b : a == b;
    }
    return is_less ? x->value() < y->value() : x->value() == y->value();
}

/// The sum of indices, whose type is known to have it.
Simple fold_plus(World& w, const mim::Def* type, const Lit* x, const Lit* y) {
    auto size     = isa_idx(type);
    bool is_known = x && y && isa_lit(size);
    return is_known ? Simple{.literal = w.lit_idx(size, x->value() + y->value())} : Simple{};
}

Simple fold_nat(World& w, Op op, const Lit* x, const Lit* y) {
    return {.literal = w.lit_nat(ainf::computed(op, x->value(), y->value()))};
}

Simple fold_flt(World& w, Op op, const Lit* x, const Lit* y) {
    return {.literal = ainf::float_literal(w, ainf::computed(op, ainf::float_value(x), ainf::float_value(y)))};
}

} // namespace

Simple simplify_as_paper(World& w, Op op, uint64_t mode, const Lit* x, const Lit* y) {
    switch (op) {
        case Op::NatAdd:
        case Op::NatMul: return x && y ? fold_nat(w, op, x, y) : Simple{};
        case Op::Exp:
        case Op::Log:
        case Op::Sqrt:
        case Op::NormCdf:
            return x ? Simple{.literal = ainf::float_literal(w, ainf::computed(op, ainf::float_value(x)))} : Simple{};
        case Op::FltAdd:
        case Op::FltSub:
        case Op::FltMul:
        case Op::FltDiv:
        case Op::FltMax: return x && y ? fold_flt(w, op, x, y) : fold_unit(op, mode, x, y);
        default: return {};
    }
}

Simple simplify(World& w, Op op, const mim::Def* type, uint64_t mode, const Lit* x, const Lit* y) {
    switch (op) {
        case Op::NatAdd:
        case Op::NatSub:
        case Op::NatMul:
        case Op::NatDiv: return x && y ? fold_nat(w, op, x, y) : fold_unit(op, mode, x, y);
        case Op::Less:
        case Op::Equal: return x && y ? Simple{.literal = w.lit_bool(compares(w, op, x, y))} : Simple{};
        case Op::Val: return x ? Simple{.literal = w.lit_nat(x->value())} : Simple{};
        case Op::Real: return x ? Simple{.literal = ainf::float_literal(w, static_cast<double>(x->value()))} : Simple{};
        case Op::Plus: return fold_plus(w, type, x, y);
        default: return simplify_as_paper(w, op, mode, x, y);
    }
}

} // namespace mim::plug::polara
