// SPDX-License-Identifier: MIT
// The formats that have literals and code. A value is its bits, as in memory: sign, e bits of exponent, p bits of fraction.
#pragma once
#include <cstdint>

#include "kit/match.h"

namespace mim::plug::math {

struct Format {
    unsigned p, e;
    const char *name, *c_name;

    bool operator==(const Format& other) const { return p == other.p && e == other.e; }
    unsigned width() const { return p + e + 1; }
    int bias() const { return (1 << (e - 1)) - 1; }
    uint64_t sign_bit() const { return uint64_t(1) << (p + e); }
    uint64_t fraction_mask() const { return (uint64_t(1) << p) - 1; }

    uint64_t inf() const { return ((uint64_t(1) << e) - 1) << p; }
    uint64_t nan() const { return inf() | uint64_t(1) << (p - 1); } ///< the one that folding yields
    uint64_t one() const { return uint64_t(bias()) << p; }
    uint64_t max() const { return inf() - 1; }

    uint64_t magnitude(uint64_t v) const { return v & ~sign_bit(); }
    bool is_neg(uint64_t v) const { return v & sign_bit(); }
    bool is_nan(uint64_t v) const { return magnitude(v) > inf(); }
    bool is_inf(uint64_t v) const { return magnitude(v) == inf(); }
    bool is_zero(uint64_t v) const { return magnitude(v) == 0; }
    bool is_finite(uint64_t v) const { return magnitude(v) < inf(); }
    /// Neither zero nor smaller than what has full precision.
    bool is_normal(uint64_t v) const { return is_finite(v) && magnitude(v) > fraction_mask(); }
    /// All values of `other` are values of this format.
    bool holds(const Format& other) const { return p >= other.p && e >= other.e; }
    /// All integers of this absolute value and below are values.
    uint64_t exact_integers() const { return uint64_t(1) << (p + 1); }
};

inline constexpr Format binary16{10, 5, "%math.F16", "_Float16"}, bfloat16{7, 8, "%math.BF16", "__bf16"},
    binary32{23, 8, "%math.F32", "float"}, binary64{52, 11, "%math.F64", "double"};

/// The format of the pair `(p, e)`; null if it is not known, or none of the four.
const Format* format_of(const Def* pe);
/// The format of the type `%math.F (p, e)`; null also for other types.
const Format* format_of_type(const Def* type);

/// What the descriptor of %math.F says.
const Def* read_literal(World&, const Def* type, std::string_view text);
std::string print_literal(const Def* literal);
bool layout_of(World&, const Def* type, uint64_t& size, uint64_t& align);
std::string c_spelling_of(const Def* type);

} // namespace mim::plug::math
