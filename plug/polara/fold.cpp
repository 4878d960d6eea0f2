// SPDX-License-Identifier: MIT
// Laws of numbers that are not rounded hold of floats as far as the mode says that nobody sees the difference.
#include "polara/fold.h"

#include <bit>
#include <cmath>

#include "ainf/list/types.h"

namespace mim::plug::polara {

namespace {

using ainf::Op;

constexpr uint64_t kNoNaN = 1, kNoSignedZero = 4;

double norm_cdf(double d) {
    double k = 1 / (1 + 0.2316419 * std::fabs(d));
    double p = k * (.31938153 + k * (-.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double c = 0.3989422804014327 * std::exp(-0.5 * d * d) * p;
    return d > 0 ? 1 - c : c;
}

uint64_t fold_nat(Op op, uint64_t x, uint64_t y) {
    switch (op) {
        case Op::NatAdd: return x + y;
        case Op::NatSub: return x < y ? 0 : x - y;
        case Op::NatMul: return x * y;
        default: return y == 0 ? 0 : x / y;
    }
}

/// A law of an operation one of whose operands is this literal: the result is an operand, if the mode has what it needs.
struct Unit {
    Op op;
    size_t literal;
    uint64_t bits;
    size_t result;
    uint64_t needs = 0;
};

constexpr uint64_t kAbsorbs = kNoNaN | kNoSignedZero;
constexpr uint64_t kOne = std::bit_cast<uint64_t>(1.0), kMinusZero = std::bit_cast<uint64_t>(-0.0);
constexpr Unit kUnits[] = {
    {Op::NatAdd, 0, 0, 1},
    {Op::NatAdd, 1, 0, 0},
    {Op::NatSub, 0, 0, 0},
    {Op::NatSub, 1, 0, 0},
    {Op::NatMul, 0, 0, 0},
    {Op::NatMul, 1, 0, 1},
    {Op::NatMul, 0, 1, 1},
    {Op::NatMul, 1, 1, 0},
    {Op::NatDiv, 0, 0, 0},
    {Op::NatDiv, 1, 0, 1},
    {Op::NatDiv, 1, 1, 0},
    {Op::FltAdd, 0, 0, 1, kNoSignedZero},
    {Op::FltAdd, 1, 0, 0, kNoSignedZero},
    {Op::FltAdd, 0, kMinusZero, 1, kNoSignedZero},
    {Op::FltAdd, 1, kMinusZero, 0, kNoSignedZero},
    {Op::FltSub, 1, 0, 0},
    {Op::FltSub, 1, kMinusZero, 0, kNoSignedZero},
    {Op::FltMul, 0, kOne, 1},
    {Op::FltMul, 1, kOne, 0},
    {Op::FltMul, 0, 0, 0, kAbsorbs},
    {Op::FltMul, 1, 0, 1, kAbsorbs},
    {Op::FltMul, 0, kMinusZero, 0, kAbsorbs},
    {Op::FltMul, 1, kMinusZero, 1, kAbsorbs},
};

/// One of the operands at least is no literal.
Simple fold_unit(Op op, uint64_t mode, const Lit* x, const Lit* y) {
    for (auto& unit : kUnits) {
        auto literal = unit.literal == 0 ? x : y;
        bool fits    = unit.op == op && literal && literal->value() == unit.bits && (mode & unit.needs) == unit.needs;
        if (fits) return {.same_as = unit.result};
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

Simple fold_unary(World& w, Op op, double x) {
    switch (op) {
        case Op::Exp: return {.literal = ainf::float_literal(w, std::exp(x))};
        case Op::Log: return {.literal = ainf::float_literal(w, std::log(x))};
        case Op::Sqrt: return {.literal = ainf::float_literal(w, std::sqrt(x))};
        default: return {.literal = ainf::float_literal(w, norm_cdf(x))};
    }
}

/// -0 is less than 0.
double greater(double x, double y) {
    if (x == y) return std::signbit(x) ? y : x;
    return std::fmax(x, y);
}

Simple fold_both(World& w, Op op, double x, double y) {
    switch (op) {
        case Op::FltAdd: return {.literal = ainf::float_literal(w, x + y)};
        case Op::FltSub: return {.literal = ainf::float_literal(w, x - y)};
        case Op::FltMul: return {.literal = ainf::float_literal(w, x * y)};
        case Op::FltDiv: return {.literal = ainf::float_literal(w, x / y)};
        default: return {.literal = ainf::float_literal(w, greater(x, y))};
    }
}

} // namespace

Simple simplify_as_paper(World& w, Op op, uint64_t mode, const Lit* x, const Lit* y) {
    switch (op) {
        case Op::NatAdd:
        case Op::NatMul: return x && y ? Simple{.literal = w.lit_nat(fold_nat(op, x->value(), y->value()))} : Simple{};
        case Op::Exp:
        case Op::Log:
        case Op::Sqrt:
        case Op::NormCdf: return x ? fold_unary(w, op, ainf::float_value(x)) : Simple{};
        case Op::FltAdd:
        case Op::FltSub:
        case Op::FltMul:
        case Op::FltDiv:
        case Op::FltMax: return x && y ? fold_both(w, op, ainf::float_value(x), ainf::float_value(y)) : fold_unit(op, mode, x, y);
        default: return {};
    }
}

Simple simplify(World& w, Op op, const mim::Def* type, uint64_t mode, const Lit* x, const Lit* y) {
    switch (op) {
        case Op::NatAdd:
        case Op::NatSub:
        case Op::NatMul:
        case Op::NatDiv:
            return x && y ? Simple{.literal = w.lit_nat(fold_nat(op, x->value(), y->value()))} : fold_unit(op, mode, x, y);
        case Op::Less:
        case Op::Equal: return x && y ? Simple{.literal = w.lit_bool(compares(w, op, x, y))} : Simple{};
        case Op::Val: return x ? Simple{.literal = w.lit_nat(x->value())} : Simple{};
        case Op::Real: return x ? Simple{.literal = ainf::float_literal(w, static_cast<double>(x->value()))} : Simple{};
        case Op::Plus: return fold_plus(w, type, x, y);
        default: return simplify_as_paper(w, op, mode, x, y);
    }
}

} // namespace mim::plug::polara
