// SPDX-License-Identifier: MIT
// What the normalizers of %core share: sizes, the groups of an application, the canonical order of operands, and folding.
//
// Laws. A normalizer is sound (the result is equal wherever the original is defined), terminating, idempotent and type preserving.
// A result that is undefined (a no-wrap mode is violated, division by zero) is never folded: the operation stays, so that
// it can be trapped. All arithmetic here is done in 128 bits, which holds every product of two values of an `Idx s` with s ≤ 2^64.
#pragma once
#include "core/annexes.h"
#include "kit/match.h"

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

/// An operation on `Idx s`, whose first group is s.
struct IntOp : Redex {
    explicit IntOp(const Redex& redex)
        : Redex(redex)
        , size(group(0)) {}
    Size size;
    const Def* lit(uint64_t v) const { return w.lit(type, v); }
    /// 0, also of an unknown size.
    const Def* zero() const { return size.known ? lit(0) : w.call<idx>(group(0), 0, 0); }
};

/// A literal 0 or an application `%core.idx s m 0`, which is 0 of an unknown size.
bool is_zero(const Def*);

} // namespace mim::plug::core
