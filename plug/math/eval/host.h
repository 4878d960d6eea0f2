// SPDX-License-Identifier: MIT
// Floats on the host, for the evaluator; shares nothing with the normalizers. A value of any of the four formats is exactly a double.
// One operation on numbers of at most 24 bits, done in double precision and then rounded, is rounded correctly: 53 ≥ 2·24 + 2.
#pragma once
#include <cstdint>

namespace mim::plug::math::host {

struct Format {
    uint64_t p, e;
    bool is_known() const { return (e == 11 && p == 52) || (e == 8 && (p == 23 || p == 7)) || (e == 5 && p == 10); }
    bool is_double() const { return p == 52; }
};

double decode(const Format&, uint64_t bits);
/// The bits of a number that is a value of the format (any number, for doubles).
uint64_t encode(const Format&, double);
/// The nearest value, and among two nearest the even one; exact for all integers of 64 bits.
uint64_t round(const Format&, long double);

} // namespace mim::plug::math::host
