// SPDX-License-Identifier: MIT
// How integers of any size are computed with in a target that has widths only. There are four kinds of `Idx s`:
//
// - None: s is 0 or 1; values have no representation.
// - Pow2: s = 2^w. Computed in a w-bit integer of the target, whose arithmetic is ours; no-wrap modes become its flags.
// - Odd: any other literal, and Run: s is only known at run time. Computed in 64 bits, followed by a reduction modulo n. At run time an
//   n of 0 stands for 2^64 (`Idx 0` has no values), and each formula here is written such that it is right for that n, too.
#pragma once
#include "backend/emit.h"
#include "core/annexes.h"
#include "driver/plugin.h"
#include "kit/match.h"

namespace mim::plug::core {

using enum backend::Bin;
using enum backend::Cast;
using enum backend::Cmp;
using backend::Bin;
using backend::Cmp;
using backend::Emit;
using backend::Type;
using backend::Value;

class Int {
public:
    enum Kind { None, Pow2, Odd, Run };

    /// For the integers of type `Idx size`.
    Int(Emit&, const Def* size);

    Emit& e;
    Kind kind;
    unsigned width = 0; ///< Pow2: w
    uint64_t n     = 0; ///< Odd: s
    Type rep;           ///< how values are passed around

    bool is_native() const { return kind == Pow2; }
    /// Numbers have no room above them as they are passed around.
    bool fills_target() const { return kind == Run || (kind == Pow2 && e.bits(rep) == width); }
    /// Of a size that is known.
    uint64_t greatest() const { return kind == Pow2 ? ~uint64_t(0) >> (64 - width) : n - 1; }
    unsigned num_bits() const;  ///< ⌈log2 s⌉; 64 of a size that is known at run time only
    Value of_bits(Value) const; ///< the number below 2^⌈log2 s⌉, which is below 2s, modulo s
    /// Values of at most this many can be multiplied in 64 bits.
    bool is_small() const { return kind == Odd && n <= uint64_t(1) << 32; }

    /// @name Pow2
    ///@{
    Type native() const { return e.int_type(width); }
    Value in(Value v) const { return e.resize(v, native()); } ///< a value as w bits
    Value out(Value v) const { return e.resize(v, rep); }     ///< w bits as a value
    ///@}

    /// @name Odd, Run: in 64 bits
    ///@{
    Type i64() const { return e.int_type(64); }
    Value wide(Value v) const { return e.resize(v, i64()); }
    Value narrow(Value v) const { return e.resize(v, rep); }
    Value size() const { return size_; }                          ///< n as i64, 0 for 2^64
    Value signed_wide(Value v) const;                             ///< the signed reading; also for Pow2
    Value is_neg(Value wide) const;                               ///< whether a value reads as negative
    Value reduce_once(Value wide) const;                          ///< of a number below 2n
    Value reduce(Value wide) const;                               ///< of any number
    Value reduce_signed(Value wide) const;                        ///< of any signed number
    Value add(Value a, Value b, Value* overflow = nullptr) const; ///< of reduced values
    Value sub(Value a, Value b) const;
    Value mul(Value a, Value b) const;
    Value power_of_two(Value k) const; ///< 2^k, reduced
    Value mask() const;                ///< 2^⌈log2 n⌉ - 1
    Value unused_bits() const;         ///< 64 - ⌈log2 n⌉
    ///@}

    /// @name checks, in 128 bits
    ///@{
    Type i128() const { return e.int_type(128); }
    Value exact(Value v, bool is_signed) const; ///< the reading of a value
    Value exact_size() const;
    Value fits(Value exact, bool is_signed) const; ///< is the reading of some value
    ///@}

private:
    Value mul_slow(Value a, Value b) const;
    Value size_;
};

/// The mode of an operation; what is unknown wraps.
struct EmitMode {
    explicit EmitMode(const Def* m) {
        if (auto lit = isa_lit(m)) nsw = lit->value() & 1, nuw = lit->value() & 2;
    }
    bool nsw = false, nuw = false;
    bool wraps() const { return !nsw && !nuw; }
    uint32_t flags() const { return (nuw ? uint32_t(backend::NUW) : 0) | (nsw ? uint32_t(backend::NSW) : 0); }
};

inline Value either(Emit& e, Value a, Value b) { return e.bin(Or, a, b); }
inline Value both(Emit& e, Value a, Value b) { return e.bin(And, a, b); }

OpEmitterFn emit_nat, emit_ncmp, emit_idx, emit_bit1, emit_bit2, emit_shr, emit_count, emit_rotate, emit_reverse, emit_wrap,
    emit_div, emit_icmp, emit_extrema, emit_abs, emit_conv, emit_bitcast, emit_trait, emit_pe, emit_quot, emit_absurd;

} // namespace mim::plug::core
