// SPDX-License-Identifier: MIT
// %core.div and %core.abs. What is known to be defined leaves the chain of effects: (mem, result). What is undefined stays.
#include <array>
#include <bit>

#include "normalize/common.h"

namespace mim::plug::core {

namespace {

struct Div {
    World& w;
    const Def *s, *mem, *a, *b;
    const Def* type; ///< of a
    Size size;
    const Def* done(const Def* result) const { return w.tuple({mem, result}); }
    const Def* lit(uint64_t v) const { return done(w.lit(type, v)); }
};

/// a / b or a % b, rounding towards zero; null if undefined.
const Def* fold(const Div& c, core::div op, uint64_t a, uint64_t b) {
    if (b == 0) return nullptr;
    if (op == core::div::udiv) return c.lit(a / b);
    if (op == core::div::urem) return c.lit(a % b);
    auto x = c.size.read_signed(a), y = c.size.read_signed(b);
    if (!c.size.fits_signed(x / y)) return nullptr;
    return c.lit(c.size.wrap_signed(op == core::div::sdiv ? x / y : x % y));
}

/// Division by a literal other than 0.
const Def* by_literal(const Div& c, core::div op, uint64_t d) {
    bool quotient  = op == core::div::sdiv || op == core::div::udiv;
    bool is_signed = op == core::div::sdiv || op == core::div::srem;
    if (d == 1 && !c.size.is_neg(1)) return quotient ? c.done(c.a) : c.lit(0); // a / 1 = a, a % 1 = 0
    if (is_signed) return nullptr;
    if (d == 1) return quotient ? c.done(c.a) : c.lit(0);
    if (!std::has_single_bit(d)) return nullptr;
    auto k = c.w.lit(c.type, static_cast<uint64_t>(std::countr_zero(d)));
    if (quotient) return c.done(c.w.app(c.w.app(c.w.annex(shr::l), c.s), {c.a, k}));            // a / 2^k = a >> k
    return c.done(bit2_app(c.w, bit2::and_, c.s, c.w.lit_nat(0), c.w.lit(c.type, d - 1), c.a)); // a % 2^k = (2^k - 1) ∧ a
}

} // namespace

const Def* normalize_div(World& w, const Def*, const Def* callee, const Def* arg) {
    auto op   = core::div(sub_of(callee));
    auto pair = elem(w, arg, 1);
    auto s    = group(callee);
    auto a    = elem(w, pair, 0);
    Div c{w, s, elem(w, arg, 0), a, elem(w, pair, 1), a->type(), Size(s)};
    if (!c.size.known || c.size.n < 2) return nullptr;
    auto x = value(c.a), y = value(c.b);
    if (!y || *y == 0) return nullptr;
    if (x) return fold(c, op, *x, *y);
    return by_literal(c, op, *y);
}

const Def* normalize_abs(World& w, const Def*, const Def* callee, const Def* arg) {
    Size size(group(callee));
    auto mem = elem(w, arg, 0), a = elem(w, arg, 1);
    if (is_zero(a)) return w.tuple({mem, a});
    auto x = value(a);
    if (!x || !size.known) return nullptr;
    auto v = size.read_signed(*x);
    v      = v < 0 ? -v : v;
    return size.fits_signed(v) ? w.tuple({mem, w.lit(a->type(), static_cast<uint64_t>(v))}) : nullptr;
}

} // namespace mim::plug::core
