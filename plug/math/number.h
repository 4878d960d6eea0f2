// SPDX-License-Identifier: MIT
// Correctly rounded operations on the bits of a format, for folding and literals. MPFR computes with two bits more than the format
// has, towards zero, and tells whether something was cut off; this decides every tie, so the one rounding to the format that
// follows is right, for numbers without full precision (subnormals), too.
#pragma once
#include <cstdint>
#define MPFR_USE_INTMAX_T 1
#include <mpfr.h>

#include <string>
#include <string_view>

#include "format.h"

namespace mim::plug::math {

class Number {
public:
    explicit Number(unsigned precision) { mpfr_init2(value_, mpfr_prec_t(precision)); }
    /// Exactly these bits; the payload of a NaN is lost.
    Number(const Format&, uint64_t bits);
    ~Number() { mpfr_clear(value_); }
    Number(const Number&)            = delete;
    Number& operator=(const Number&) = delete;
    mpfr_ptr get() { return value_; }
    mpfr_srcptr get() const { return value_; }

    /// The nearest value of the format; `inexact` if the number at hand was cut off.
    uint64_t round(const Format&, bool inexact) const;

private:
    mpfr_t value_;
};

using Unary  = int (*)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_t, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// @name operations, correctly rounded; a NaN is always Format::nan()
///@{
uint64_t apply(const Format&, Unary, uint64_t a, bool* exact = nullptr);
uint64_t apply(const Format&, Binary, uint64_t a, uint64_t b, bool* exact = nullptr);
uint64_t convert(const Format& from, const Format& to, uint64_t v);
uint64_t from_integer(const Format&, uint64_t magnitude, bool is_neg);
///@}

/// Rounded towards zero; false for NaNs and what has more than 64 bits.
bool to_integer(const Format&, uint64_t v, uint64_t& magnitude, bool& is_neg);

/// 1 if a > b, 0 if equal, -1 if less; none of both is a NaN. Zeros are equal.
int compare(const Format&, uint64_t a, uint64_t b);

/// The double of these bits; each of the four formats is part of it.
double to_double(const Format&, uint64_t bits);

/// The text of a number as C99 writes it. False if it is too large for the format.
bool parse(const Format&, std::string_view text, uint64_t& bits);
/// A short text that `parse` reads as these bits.
std::string print(const Format&, uint64_t bits);

} // namespace mim::plug::math
