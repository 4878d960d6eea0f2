// SPDX-License-Identifier: MIT
// Normalizers of the terms that the optimizer makes: constants are computed (11) and come last (12), and shifts of one
// kind add up (13). All other laws are in with/core.mim.
#include <utility>

#include "kit/match.h"
#include "mil/annexes.h"

namespace mim::plug::mil {

namespace {

/// The arithmetic of words with so many bits.
struct Width {
    unsigned bits = 0; ///< 0: unknown

    explicit Width(const Def* size) {
        if (auto n = value(size)) {
            while (bits < 64 && (uint64_t(1) << bits) < *n) ++bits;
        } else if (isa_lit(size)) {
            bits = 64;
        }
    }
    uint64_t mask() const { return bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1; }
    int64_t sign(uint64_t v) const { return static_cast<int64_t>(v << (64 - bits)) >> (64 - bits); }
};

uint64_t compute(word op, uint64_t a, uint64_t b, Width w) {
    bool is_out = b >= w.bits;
    switch (op) {
        case word::and_: return a & b;
        case word::or_: return a | b;
        case word::xor_: return a ^ b;
        case word::add: return a + b;
        case word::sub: return a - b;
        case word::mul: return a * b;
        case word::shl: return is_out ? 0 : a << b;
        case word::lshr: return is_out ? 0 : a >> b;
        default: return static_cast<uint64_t>(w.sign(a) >> (is_out ? w.bits - 1 : b));
    }
}

bool compare(test op, uint64_t a, uint64_t b, Width w) {
    switch (op) {
        case test::eq: return a == b;
        case test::neq: return a != b;
        case test::slt: return w.sign(a) < w.sign(b);
        case test::sle: return w.sign(a) <= w.sign(b);
        case test::sgt: return w.sign(a) > w.sign(b);
        case test::sge: return w.sign(a) >= w.sign(b);
        case test::ult: return a < b;
        case test::ule: return a <= b;
        case test::ugt: return a > b;
        default: return a >= b;
    }
}

bool is_commutative(word op) { return op <= word::add || op == word::mul; }

/// The comparison of the operands in the other order.
test mirrored(test op) {
    switch (op) {
        case test::slt: return test::sgt;
        case test::sle: return test::sge;
        case test::sgt: return test::slt;
        case test::sge: return test::sle;
        case test::ult: return test::ugt;
        case test::ule: return test::uge;
        case test::ugt: return test::ult;
        case test::uge: return test::ule;
        default: return op;
    }
}

/// Shifts of one kind by constants: the sum does not wrap around.
const Def* add_shifts(const Redex& redex, word op, Width width) {
    auto inner = match(op, redex.elem(0));
    auto n     = value(redex.elem(1));
    auto m     = inner ? value(operand(redex.w, inner, 1)) : std::nullopt;
    if (!n || !m) return nullptr;
    auto sum     = std::min<uint64_t>(*m, width.bits) + std::min<uint64_t>(*n, width.bits);
    bool is_out  = sum >= width.bits;
    bool is_zero = is_out && op != word::ashr;
    if (is_zero) return redex.w.lit(redex.type, 0);
    auto by = redex.w.lit(redex.type, is_out ? width.bits - 1 : sum);
    return redex.w.app(redex.callee, {operand(redex.w, inner, 0), by});
}

} // namespace

const Def* normalize_word(const Redex& redex) {
    Width width(redex.group(0));
    if (!width.bits) return nullptr;
    auto op     = static_cast<word>(redex.sub());
    auto [x, y] = redex.elems<2>();
    auto a = value(x), b = value(y);
    if (a && b) return redex.w.lit(redex.type, compute(op, *a, *b, width) & width.mask());
    bool swaps = a && is_commutative(op);
    if (swaps) return redex.w.app(redex.callee, {y, x});
    bool subtracts = b && op == word::sub;
    if (subtracts) return redex.w.call(word::add, {x, redex.w.lit(redex.type, (~*b + 1) & width.mask())});
    bool is_shift = op == word::shl || op == word::lshr || op == word::ashr;
    return is_shift ? add_shifts(redex, op, width) : nullptr;
}

const Def* normalize_unary(const Redex& redex) {
    Width width(redex.group(0));
    auto a = value(redex.arg);
    if (!width.bits || !a) return nullptr;
    auto result = static_cast<unary>(redex.sub()) == unary::not_ ? ~*a : ~*a + 1;
    return redex.w.lit(redex.type, result & width.mask());
}

const Def* normalize_test(const Redex& redex) {
    Width width(redex.group(0));
    if (!width.bits) return nullptr;
    auto op     = static_cast<test>(redex.sub());
    auto [x, y] = redex.elems<2>();
    auto a = value(x), b = value(y);
    if (a && b) return compare(op, *a, *b, width) ? redex.w.tt() : redex.w.ff();
    return a ? redex.w.call(mirrored(op), {y, x}) : nullptr;
}

const Def* normalize_bnot(const Redex& redex) {
    auto a = value(redex.arg);
    return a ? redex.w.lit(redex.type, *a ^ 1) : nullptr;
}

const Def* normalize_of_flag(const Redex& redex) {
    auto a = value(redex.arg);
    return a ? redex.w.lit(redex.type, *a) : nullptr;
}

const Def* normalize_to_flag(const Redex& redex) {
    auto a = value(redex.arg);
    return a ? redex.w.lit(redex.type, *a & 1) : nullptr;
}

} // namespace mim::plug::mil
