// SPDX-License-Identifier: MIT
#include "eval/host.h"

#include <bit>
#include <cmath>
#include <limits>

namespace mim::plug::math::host {

static_assert(std::numeric_limits<long double>::digits >= 64, "an integer of 64 bits is a long double");

static uint64_t sign_of(const Format& f, bool is_neg) { return is_neg ? uint64_t(1) << (f.p + f.e) : 0; }
static int least_exponent(const Format& f) { return 2 - (1 << (f.e - 1)); } // of a number with a leading 1

double decode(const Format& f, uint64_t bits) {
    auto fields   = uint64_t(1) << f.e;
    auto exponent = int(bits >> f.p & (fields - 1));
    auto fraction = double(bits & ((uint64_t(1) << f.p) - 1));
    auto unit     = least_exponent(f) - int(f.p);
    double magnitude;
    if (exponent == int(fields - 1)) magnitude = fraction == 0 ? INFINITY : NAN;
    else if (exponent == 0) magnitude = std::ldexp(fraction, unit);
    else magnitude = std::ldexp(fraction + std::ldexp(1.0, int(f.p)), unit + exponent - 1);
    return bits >> (f.p + f.e) & 1 ? -magnitude : magnitude;
}

uint64_t encode(const Format& f, double v) {
    auto sign = sign_of(f, std::signbit(v));
    auto top  = ((uint64_t(1) << f.e) - 1) << f.p;
    if (std::isnan(v)) return top | uint64_t(1) << (f.p - 1);
    if (std::isinf(v)) return sign | top;
    if (v == 0) return sign;
    auto exponent = std::ilogb(v);
    auto least    = least_exponent(f);
    auto unit     = std::ldexp(std::fabs(v), int(f.p) - (exponent < least ? least : exponent));
    if (exponent < least) return sign | uint64_t(unit);
    return sign | ((uint64_t(exponent - least) << f.p) + uint64_t(unit));
}

/// Scaled such that the last bit of the format counts 1, rounded there by the host, and scaled back.
uint64_t round(const Format& f, long double v) {
    if (std::isnan(v) || std::isinf(v) || v == 0) return encode(f, double(v));
    auto exponent = std::ilogb(v);
    auto least    = least_exponent(f);
    auto scale    = int(f.p) - (exponent < least ? least : exponent);
    auto rounded  = std::ldexp(std::nearbyint(std::ldexp(v, scale)), -scale);
    if (std::ilogb(rounded) >= 1 << (f.e - 1)) return encode(f, rounded < 0 ? -INFINITY : INFINITY);
    return encode(f, double(rounded));
}

} // namespace mim::plug::math::host
