// SPDX-License-Identifier: MIT
// See number.h.
#include "number.h"

#include <bit>
#include <charconv>
#include <cstdio>

namespace mim::plug::math {

namespace {

/// Bits with which no result of `f` is rounded twice.
unsigned working_precision(const Format& f) { return f.p + 3; }

/// The nearest value to m · 2^exponent, m > 0; the last bit of m stands for everything below it.
uint64_t round_magnitude(const Format& f, uint64_t m, int64_t exponent) {
    auto bits   = int(std::bit_width(m));
    auto biased = exponent + bits - 1 + f.bias();
    if (biased > 2 * f.bias()) return f.inf();
    int64_t drop = bits - int(f.p + 1) + (biased < 1 ? 1 - biased : 0);
    uint64_t kept;
    if (drop <= 0) {
        kept = m << -drop;
    } else if (drop > bits) {
        kept = 0; // less than half of the smallest value
    } else {
        auto below = m & (~uint64_t(0) >> (64 - drop)), half = uint64_t(1) << (drop - 1);
        kept = drop == 64 ? 0 : m >> drop;
        kept += below > half || (below == half && (kept & 1));
    }
    // The leading bit, which formats leave out, counts one exponent; so does a carry.
    return biased < 1 ? kept : (uint64_t(biased - 1) << f.p) + kept;
}

} // namespace

Number::Number(const Format& f, uint64_t bits) {
    mpfr_init2(value_, mpfr_prec_t(f.p + 1));
    if (f.is_nan(bits)) return; // a fresh number is a NaN
    if (f.is_inf(bits)) {
        mpfr_set_inf(value_, f.is_neg(bits) ? -1 : 1);
        return;
    }
    auto biased   = int(f.magnitude(bits) >> f.p);
    auto fraction = bits & f.fraction_mask();
    if (biased) fraction |= uint64_t(1) << f.p;
    mpfr_set_uj_2exp(value_, fraction, (biased ? biased : 1) - f.bias() - int(f.p), MPFR_RNDZ);
    mpfr_setsign(value_, value_, f.is_neg(bits), MPFR_RNDZ);
}

uint64_t Number::round(const Format& f, bool inexact) const {
    if (mpfr_nan_p(value_)) return f.nan();
    auto sign = mpfr_signbit(value_) ? f.sign_bit() : 0;
    if (mpfr_inf_p(value_)) return sign | f.inf();
    if (mpfr_zero_p(value_)) return sign; // also what is too small for MPFR
    auto precision = int64_t(mpfr_get_prec(value_));
    auto exponent  = int64_t(mpfr_get_exp(value_)); // value = 0.1… · 2^exponent
    if (exponent > 4 * f.bias()) return sign | f.inf();
    if (exponent < -4 * f.bias()) return sign;
    mpfr_t integer;
    mpfr_init2(integer, mpfr_prec_t(precision));
    mpfr_mul_2si(integer, value_, long(precision - exponent), MPFR_RNDZ);
    mpfr_abs(integer, integer, MPFR_RNDZ);
    auto m = uint64_t(mpfr_get_uj(integer, MPFR_RNDZ));
    mpfr_clear(integer);
    return sign | round_magnitude(f, m << 1 | inexact, exponent - precision - 1);
}

uint64_t apply(const Format& f, Unary op, uint64_t a, bool* exact) {
    Number x(f, a), r(working_precision(f));
    int inexact = op(r.get(), x.get(), MPFR_RNDZ);
    if (exact) *exact = !inexact;
    return r.round(f, inexact);
}

uint64_t apply(const Format& f, Binary op, uint64_t a, uint64_t b, bool* exact) {
    Number x(f, a), y(f, b), r(working_precision(f));
    int inexact = op(r.get(), x.get(), y.get(), MPFR_RNDZ);
    if (exact) *exact = !inexact;
    return r.round(f, inexact);
}

uint64_t convert(const Format& from, const Format& to, uint64_t v) { return Number(from, v).round(to, false); }

uint64_t from_integer(const Format& f, uint64_t magnitude, bool is_neg) {
    if (magnitude == 0) return 0;
    bool last = magnitude & 1; // room for the bit that stands for what is cut off: none is
    auto r    = magnitude >> 63 ? round_magnitude(f, magnitude >> 1 | last, 1) : round_magnitude(f, magnitude << 1, -1);
    return is_neg ? r | f.sign_bit() : r;
}

bool to_integer(const Format& f, uint64_t v, uint64_t& magnitude, bool& is_neg) {
    if (f.is_nan(v)) return false;
    Number x(f, v);
    is_neg = f.is_neg(v);
    mpfr_abs(x.get(), x.get(), MPFR_RNDZ);
    if (!mpfr_fits_uintmax_p(x.get(), MPFR_RNDZ)) return false;
    magnitude = mpfr_get_uj(x.get(), MPFR_RNDZ);
    return true;
}

int compare(const Format& f, uint64_t a, uint64_t b) {
    auto key = [&](uint64_t v) { return f.is_neg(v) ? -int64_t(f.magnitude(v)) : int64_t(f.magnitude(v)); };
    return key(a) < key(b) ? -1 : key(a) > key(b);
}

/*
 * text
 */

namespace {

/// The exponent behind the greatest: infinity, or a NaN of this fraction.
bool special_value(const Format& f, const Number& v, uint64_t& bits) {
    if (!mpfr_regular_p(v.get()) || mpfr_get_exp(v.get()) != f.bias() + 2) return false;
    Number fraction(f.p + 1);
    if (mpfr_mul_2si(fraction.get(), v.get(), int(f.p) - f.bias() - 1, MPFR_RNDZ)) return false;
    mpfr_abs(fraction.get(), fraction.get(), MPFR_RNDZ);
    if (!mpfr_integer_p(fraction.get())) return false;
    bits = f.inf() | (mpfr_get_uj(fraction.get(), MPFR_RNDZ) & f.fraction_mask());
    if (mpfr_signbit(v.get())) bits |= f.sign_bit();
    return true;
}

std::string print_hex(const Format& f, uint64_t bits) {
    auto digits = (f.p + 3) / 4;
    char text[64];
    std::snprintf(text, sizeof text, "%0*llx", int(digits),
                  static_cast<unsigned long long>((bits & f.fraction_mask()) << (4 * digits - f.p)));
    std::string fraction(text);
    while (fraction.ends_with('0')) fraction.pop_back();
    return std::string(f.is_neg(bits) ? "-" : "") + "0x1" + (fraction.empty() ? "" : "." + fraction) + "p+"
           + std::to_string(f.bias() + 1);
}

std::string shortest(const Format& f, uint64_t bits) {
    char text[64];
    auto value = to_double(f, bits);
    if (f == binary64) return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
    if (f == binary32) return std::string(text, std::to_chars(text, text + sizeof text, float(value)).ptr);
    for (int precision = 1; precision < 9; ++precision) {
        std::snprintf(text, sizeof text, "%.*g", precision, value);
        if (uint64_t again; parse(f, text, again) && again == bits) break;
    }
    return text;
}

} // namespace

double to_double(const Format& f, uint64_t bits) { return mpfr_get_d(Number(f, bits).get(), MPFR_RNDZ); }

bool parse(const Format& f, std::string_view text, uint64_t& bits) {
    std::string copy(text);
    Number r(working_precision(f));
    char* end    = nullptr;
    bool inexact = mpfr_strtofr(r.get(), copy.c_str(), &end, 0, MPFR_RNDZ);
    bits         = r.round(f, inexact);
    if (!f.is_inf(bits)) return true;
    return text.find_first_of("xX") != text.npos && !inexact && special_value(f, r, bits);
}

std::string print(const Format& f, uint64_t bits) {
    if (!f.is_finite(bits)) return print_hex(f, bits);
    auto text = shortest(f, bits);
    return text.find_first_of(".e") == text.npos ? text + ".0" : text;
}

} // namespace mim::plug::math
