// SPDX-License-Identifier: MIT
// %core.div and %core.abs. What is known to be defined leaves the chain of effects: (mem, result). What is undefined stays.
#include <array>
#include <bit>

#include "normalize/common.h"

namespace mim::plug::core {

namespace {

struct Div : IntOp {
    explicit Div(const Redex& redex)
        : IntOp(redex)
        , op(core::div(sub()))
        , mem(elem(0))
        , a(operand(0))
        , b(operand(1)) {}
    core::div op;
    const Def *mem, *a, *b;
    const Def* operand(size_t i) const { return mim::elem(w, elem(1), i); }
    const Def* done(const Def* result) const { return w.tuple({mem, result}); }
    const Def* number(uint64_t v) const { return w.lit(a->type(), v); }
    const Def* done(uint64_t v) const { return done(number(v)); }
};

/// a / b or a % b, rounding towards zero; null if undefined.
const Def* fold(const Div& c, uint64_t a, uint64_t b) {
    auto op = c.op;
    if (b == 0) return nullptr;
    if (op == core::div::udiv) return c.done(a / b);
    if (op == core::div::urem) return c.done(a % b);
    auto x = c.size.read_signed(a), y = c.size.read_signed(b);
    if (!c.size.fits_signed(x / y)) return nullptr;
    return c.done(c.size.wrap_signed(op == core::div::sdiv ? x / y : x % y));
}

/// Division by a literal other than 0.
const Def* by_literal(const Div& c, uint64_t d) {
    auto op        = c.op;
    bool quotient  = op == core::div::sdiv || op == core::div::udiv;
    bool is_signed = op == core::div::sdiv || op == core::div::srem;
    if (d == 1 && !c.size.is_neg(1)) return quotient ? c.done(c.a) : c.done(uint64_t(0)); // a / 1 = a, a % 1 = 0
    if (is_signed) return nullptr;
    if (d == 1) return quotient ? c.done(c.a) : c.done(uint64_t(0));
    if (!std::has_single_bit(d)) return nullptr;
    auto k = c.number(uint64_t(std::countr_zero(d)));
    if (quotient) return c.done(c.w.apply(shr::l, c.group(0), {c.a, k}));        // a / 2^k = a >> k
    return c.done(c.w.apply(bit2::and_, c.group(0), 0, {c.number(d - 1), c.a})); // a % 2^k = (2^k - 1) ∧ a
}

} // namespace

const Def* normalize_div(const Redex& redex) {
    Div c(redex);
    if (!c.size.known || c.size.n < 2) return nullptr;
    auto x = value(c.a), y = value(c.b);
    if (!y || *y == 0) return nullptr;
    return x ? fold(c, *x, *y) : by_literal(c, *y);
}

/*
 * %core.quot: total, without a memory
 */

/// a / b or a % b where this needs no operation; null otherwise.
static const Def* quotient_or_remainder(const Redex& c, bool is_div, const Def* zero) {
    auto [a, b] = c.elems<2>();
    auto x = value(a), y = value(b);
    if (y && *y == 0) return is_div ? zero : a;
    if (x && *x == 0) return a; // 0 / b = 0 % b = 0, also for b = 0
    if (y && *y == 1) return is_div ? a : zero;
    if (!x || !y) return nullptr;
    return c.w.lit(c.type, is_div ? *x / *y : *x % *y);
}

const Def* normalize_nquot(const Redex& c) {
    bool is_div = core::quot(c.sub()) == core::quot::ndiv;
    return quotient_or_remainder(c, is_div, c.w.lit_nat(0));
}

const Def* normalize_quot(const Redex& redex) {
    IntOp c(redex);
    bool is_div = core::quot(c.sub()) == core::quot::div;
    if (!c.size.known || c.size.n < 2) return nullptr;
    if (auto done = quotient_or_remainder(c, is_div, c.zero())) return done;
    auto [a, b] = c.elems<2>();
    auto d      = value(b);
    if (!d || !std::has_single_bit(*d)) return nullptr;
    if (is_div) return c.w.apply(shr::l, c.group(0), {a, c.lit(uint64_t(std::countr_zero(*d)))}); // a / 2^k = a >> k
    return c.w.apply(bit2::and_, c.group(0), 0, {c.lit(*d - 1), a});                              // a % 2^k = (2^k - 1) ∧ a
}

const Def* normalize_abs(const Redex& redex) {
    IntOp c(redex);
    auto [mem, a] = c.elems<2>();
    if (is_zero(a)) return c.arg;
    auto x = value(a);
    if (!x || !c.size.known) return nullptr;
    auto v = c.size.read_signed(*x);
    v      = v < 0 ? -v : v;
    return c.size.fits_signed(v) ? c.w.tuple({mem, c.w.lit(a->type(), uint64_t(v))}) : nullptr;
}

} // namespace mim::plug::core
