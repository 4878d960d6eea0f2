// SPDX-License-Identifier: MIT
// What the normalizers of %core share: sizes, the groups of an application, the canonical order of operands, and folding.
//
// Laws. A normalizer is sound (the result is equal wherever the original is defined), terminating, idempotent and type preserving.
// A result that is undefined (a no-wrap mode is violated, division by zero) is never folded: the operation stays, so that
// it can be trapped. All arithmetic here is done in 128 bits, which holds every product of two values of an `Idx s` with s ≤ 2^64.
#pragma once
#include <optional>

#include "core/annexes.h"
#include "ir/order.h"
#include "ir/world.h"

namespace mim::plug::core {

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 i128;

/// The s of `Idx s`.
struct Size {
    explicit Size(const Def* s);
    bool known = false; ///< s is a literal
    u128 n     = 0;     ///< its value, 2^64 included

    bool is(u128 k) const { return known && n == k; }
    bool is_pow2() const { return known && n != 0 && (n & (n - 1)) == 0; }
    unsigned bits() const;                                               ///< ⌈log2 s⌉: what bit operations work on
    uint64_t mask() const;                                               ///< 2^bits - 1
    uint64_t half() const { return static_cast<uint64_t>((n + 1) / 2); } ///< number of values that read as not negative
    bool is_neg(uint64_t v) const { return v >= half(); }
    i128 read_signed(uint64_t v) const { return is_neg(v) ? static_cast<i128>(v) - static_cast<i128>(n) : static_cast<i128>(v); }
    uint64_t wrap(u128 v) const { return static_cast<uint64_t>(v % n); }
    uint64_t wrap_signed(i128 v) const;
    /// v is the signed reading of some value.
    bool fits_signed(i128 v) const { return -static_cast<i128>(n / 2) <= v && v < static_cast<i128>(half()); }
};

/// What to do when a result does not fit: bit 0 no signed wrap, bit 1 no unsigned wrap.
struct Mode {
    explicit Mode(const Def* m);
    bool known = false;
    bool nsw = true, nuw = true; ///< an unknown mode may be any: the strictest is assumed
    bool wraps() const { return known && !nsw && !nuw; }
    bool is_nuw_only() const { return known && !nsw && nuw; }
};

/// i-th element of an argument pair, without building an extract where it is at hand.
const Def* elem(World&, const Def* arg, uint64_t i);
/// The argument of the n-th group before the last: group(callee, 0) is the one right before it.
inline const Def* group(const Def* callee, unsigned n = 0) {
    while (n-- > 0) callee = callee->as<App>()->callee();
    return callee->as<App>()->arg();
}
inline uint16_t sub_of(const Def* callee) { return head_axiom(callee)->axiom().id.sub; }

/// Operands of commutative operations are in this order (ir/order.h): literals first, then by shape.
inline bool in_order(const Def* a, const Def* b) { return compare(a, b) <= 0; }

/// A literal 0 or an application `%core.idx s m 0`, which is 0 of an unknown size.
bool is_zero(const Def*);
/// The literal value of def, if it is one that takes part in arithmetic.
std::optional<uint64_t> value(const Def*);

/// `%core.wrap.<op> @s m (a, b)` and its like: the callee's own chain with another sub.
const Def* wrap_app(World&, wrap op, const Def* s, const Def* m, const Def* a, const Def* b);
const Def* bit1_app(World&, bit1 op, const Def* s, const Def* m, const Def* a);
const Def* bit2_app(World&, bit2 op, const Def* s, const Def* m, const Def* a, const Def* b);

const Def* normalize_nat(World&, const Def*, const Def*, const Def*);
const Def* normalize_ncmp(World&, const Def*, const Def*, const Def*);
const Def* normalize_idx(World&, const Def*, const Def*, const Def*);
const Def* normalize_bit1(World&, const Def*, const Def*, const Def*);
const Def* normalize_bit2(World&, const Def*, const Def*, const Def*);
const Def* normalize_shr(World&, const Def*, const Def*, const Def*);
const Def* normalize_count(World&, const Def*, const Def*, const Def*);
const Def* normalize_wrap(World&, const Def*, const Def*, const Def*);
const Def* normalize_div(World&, const Def*, const Def*, const Def*);
const Def* normalize_icmp(World&, const Def*, const Def*, const Def*);
const Def* normalize_extrema(World&, const Def*, const Def*, const Def*);
const Def* normalize_abs(World&, const Def*, const Def*, const Def*);
const Def* normalize_conv(World&, const Def*, const Def*, const Def*);
const Def* normalize_bitcast(World&, const Def*, const Def*, const Def*);
const Def* normalize_trait(World&, const Def*, const Def*, const Def*);
const Def* normalize_pe(World&, const Def*, const Def*, const Def*);
const Def* normalize_zip(World&, const Def*, const Def*, const Def*);

} // namespace mim::plug::core
