// SPDX-License-Identifier: MIT
// %core.conv, %core.bitcast and %core.trait.
#include "core/diagnostics.h"
#include "ir/layout.h"
#include "ir/token_types.h"
#include "normalize/common.h"

namespace mim::plug::core {

namespace {

/// Laws for `conv op ds (conv in mid x)`, x of size `from`.
const Def* conv_conv(World& w, conv op, const Def* ds, const Size& to, Match_<conv> inner) {
    auto [ss, ms, x] = groups<3>(inner);
    Size from(ss), mid(ms);
    if (!from.known || !mid.known || from.n == 0 || mid.n == 0) return nullptr;
    bool u    = inner.sub() == conv::u;
    auto make = [&](conv made) { return w.apply(made, ss, ds, x); };
    if (op == conv::u && u && mid.n >= from.n) return make(conv::u); // the inner one loses nothing
    if (op == conv::s && !u && mid.n >= from.n) return make(conv::s);
    if (op == conv::s && u && mid.half() >= from.n) return make(conv::u); // never negative in between
    return mid.n % to.n == 0 ? make(inner.sub()) : nullptr;               // (x mod m) mod n = x mod n if n divides m
}

} // namespace

const Def* normalize_conv(const Redex& redex) {
    auto& w            = redex.w;
    auto op            = conv(redex.sub());
    auto [ss, ds, arg] = redex.groups<3>();
    if (ss == ds) return arg; // conv from s to s = identity
    Size from(ss), to(ds);
    if (to.is(1)) return w.lit(redex.type, 0);
    if (!from.known || !to.known || from.n == 0 || to.n == 0) return nullptr;
    if (auto v = value(arg)) return w.lit(redex.type, op == conv::u ? to.wrap(*v) : to.wrap_signed(from.read_signed(*v)));
    if (op == conv::s && from.n % to.n == 0) return w.apply(conv::u, ss, ds, arg); // v - s = v modulo a divisor of s
    if (auto inner = match<conv>(arg)) return conv_conv(w, op, ds, to, inner);
    return nullptr;
}

/*
 * bitcast
 */

namespace {

/// Nat or `Idx n` with known n: its number of bits and of values.
struct Integer {
    unsigned bits = 0;
    u128 count    = 0;
    explicit Integer(const Def* type) {
        if (type->isa<Nat>()) bits = 64, count = u128(1) << 64;
        auto s = isa_idx(type);
        if (!s) return;
        Size size(s);
        if (size.known && size.n >= 2) bits = size.bits(), count = size.n;
    }
    explicit operator bool() const { return bits; }
};

/// Integers, Nat, and what a plugin declares as a pointer: these extend and truncate.
bool is_scalar(const Def* type) {
    if (type->isa<Nat>() || isa_idx(type) || type->isa<Pi>()) return true;
    auto axm = saturated_axiom(type);
    return axm && !axm->axiom().layout && !axm->axiom().has(Axiom::LinearType) && !axm->axiom().has(Axiom::Erased);
}

/// Both types are known and nothing can be reinterpreted.
void check_bitcast(World& w, const Def* from, const Def* to) {
    if (from->is_unstable() || to->is_unstable() || (is_scalar(from) && is_scalar(to))) return;
    auto f = layout(w, from), t = layout(w, to);
    if (f && t && f->size != t->size) throw Error(diag::bad_bitcast(from, to));
}

uint64_t truncate(uint64_t v, unsigned bits) { return bits == 64 ? v : v & ((uint64_t(1) << bits) - 1); }

/// The number of bits of a plugin's type whose literals are the bits that its values have in memory; else 0.
unsigned literal_bits(World& w, const Def* type) {
    auto axm = head_axiom(type);
    if (!axm || !axm->axiom().literal) return 0;
    auto l = layout(w, type);
    return l && l->size <= 8 ? unsigned(8 * l->size) : 0;
}

/// Both have the same size, so every value of the one is one of the other: not where an integer has fewer values than bits.
bool is_lossless(World& w, const Def* from, const Def* to) {
    Integer f(from), t(to);
    auto full = [&](const Integer& i, const Def* other) {
        return !i || (literal_bits(w, other) && i.count == u128(1) << literal_bits(w, other));
    };
    return full(f, to) && full(t, from);
}

} // namespace

const Def* normalize_bitcast(const Redex& redex) {
    auto& w              = redex.w;
    auto [from, to, arg] = redex.groups<3>();
    for (auto t : {from, to})
        if (w.token_types().contains(t)) throw Error(Diag::token_cast, {head_axiom(redex.callee), t});
    if (from == to) return arg; // bitcast from T to T = identity
    check_bitcast(w, from, to);
    Integer f(from), t(to);
    if (auto v = value(arg)) {
        auto f_bits = f ? f.bits : literal_bits(w, from), t_bits = t ? t.bits : literal_bits(w, to);
        auto r = f_bits && t_bits ? truncate(*v, t_bits) : 0;
        if (f_bits && t) return r < t.count ? w.lit(redex.type, r) : nullptr; // outside of its type: undefined
        if (f_bits && t_bits) return w.raw_lit(redex.type, r);
    }
    auto inner = match<bitcast>(arg);
    if (!inner) return nullptr;
    auto first = inner.group(0); // first → from → to
    auto x     = inner.arg();
    Integer i(first);
    if (i && f && t && f.bits >= i.bits) return w.apply<bitcast>(first, to, x); // nothing lost in between
    if (first != to) return nullptr;
    auto outer = layout(w, to), mid = layout(w, from);
    return outer && mid && outer->size == mid->size && is_lossless(w, from, to) ? x : nullptr; // there and back
}

const Def* normalize_absurd(const Redex& redex) { return redex.type == redex.arg->type() ? redex.arg : nullptr; }

const Def* normalize_trait(const Redex& redex) {
    auto l = layout(redex.w, redex.arg);
    if (!l) return nullptr;
    return redex.w.lit_nat(trait(redex.sub()) == trait::size ? l->size : l->align);
}

} // namespace mim::plug::core
