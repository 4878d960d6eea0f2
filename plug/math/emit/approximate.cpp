// SPDX-License-Identifier: MIT
#include "emit/approximate.h"

#include <bit>
#include <limits>
#include <vector>

#include "emit/coefficients.h"

namespace mim::plug::math {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

} // namespace

Approximate::Approximate(Emit& e, bool is_double)
    : e_(e)
    , is_double_(is_double)
    , fraction_(is_double ? 52 : 23)
    , bias_(is_double ? 1023 : 127)
    , float_(e.float_type(is_double ? backend::Float::F64 : backend::Float::F32))
    , int_(e.int_type(is_double ? 64 : 32)) {}

Value Approximate::number(double x) const {
    return e_.float_bits(float_, is_double_ ? std::bit_cast<uint64_t>(x) : std::bit_cast<uint32_t>(float(x)));
}

/// By pairs, pairs of pairs, …, so that few operations wait for each other (Estrin's scheme).
Value Approximate::polynomial(Value x, std::span<const double> coefficients) {
    std::vector<Value> terms;
    for (auto c : coefficients) terms.push_back(number(c));
    for (auto power = x;; power = mul(power, power)) {
        std::vector<Value> pairs;
        for (size_t i = 0; i < terms.size(); i += 2)
            pairs.push_back(i + 1 == terms.size() ? terms[i] : mul_add(power, terms[i + 1], terms[i]));
        if (pairs.size() == 1) return pairs[0];
        terms = std::move(pairs);
    }
}

/// A number so large that its last bit counts ones takes a number to the nearest integer.
Approximate::Nearest Approximate::nearest(Value x, double factor) {
    auto shifted = mul_add(x, number(factor), number(magic()));
    return {bits(shifted), sub(shifted, number(magic()))};
}

/*
 * exponential functions
 */

/// Multiples of the first part of ln 2 are exact, and so is the first difference.
Approximate::Split Approximate::split(Value x) {
    auto& ln2              = is_double_ ? ln2_f64 : ln2_f32;
    auto [count, multiple] = nearest(x, 0x1.71547652b82fep+0);
    auto rest              = mul_add(multiple, number(-ln2[0]), x);
    rest                   = mul_add(multiple, number(-ln2[1]), rest);
    auto p                 = is_double_ ? polynomial(rest, exp_f64) : polynomial(rest, exp_f32);
    auto zero              = is_double_ ? std::bit_cast<uint64_t>(magic()) : std::bit_cast<uint32_t>(float(magic()));
    return {e_.bin(Sub, count, whole(zero)), mul_add(mul(rest, rest), p, rest)};
}

/// The power of two is multiplied in two halves: results may be subnormal, and greater than any power of two of the
/// type.
Value Approximate::exp(Value x) {
    auto most       = is_double_ ? 709.79 : 88.73; // from here on, results are infinite
    auto least      = is_double_ ? -745.14 : -103.98;
    auto [times, y] = split(x);
    auto both       = e_.bin(Add, times, whole(2 * bias_));
    auto half       = e_.bin(LShr, both, whole(1));
    auto first      = power(half);
    auto result     = mul(mul_add(y, first, first), power(e_.bin(Sub, both, half)));
    result          = e_.select(e_.fcmp(FCmp::OGt, x, number(most)), number(infinity), result);
    return e_.select(e_.fcmp(FCmp::OLt, x, number(least)), number(0), result);
}

/// With m = e^(2|x|) - 1, it is m / (m + 2): near zero no digits cancel.
Value Approximate::tanh(Value x) {
    auto size       = abs(x);
    auto [times, y] = split(add(size, size));
    auto scale      = power(e_.bin(Add, times, whole(bias_)));
    auto m          = mul_add(y, scale, sub(scale, number(1)));
    auto result     = e_.bin(FDiv, m, add(m, number(2)));
    auto is_one     = e_.fcmp(FCmp::OGt, size, number(is_double_ ? 22 : 10));
    return with_sign_of(e_.select(is_one, number(1), result), x);
}

/*
 * logarithm
 */

/// The number is 2^k · (1 + f) with 1 + f between 1/sqrt 2 and sqrt 2. With s = f / (2 + f), log (1 + f) = log (1 + s)
/// - log (1 - s) is 2s + s·R, and 2s = f - s·f is f - f²/2 + s·f²/2, as in FDLIBM's log (Sun Microsystems, 1993): the
/// parts that come late are small. Terms that do not wait for the division are added first.
Value Approximate::log(Value x) {
    auto least  = is_double_ ? 0x1p-1022 : 0x1p-126;
    auto scale  = is_double_ ? 0x1p54 : 0x1p25;
    auto root   = is_double_ ? std::bit_cast<uint64_t>(0x1.6a09e667f3bcdp-1) : std::bit_cast<uint32_t>(0x1.6a09e6p-1f);
    auto one    = bias_ << fraction_;
    auto count  = is_double_ ? 0x1p52 : 0x1p23; // its last bits are an integer
    auto& ln2   = is_double_ ? ln2_f64 : ln2_f32;
    auto is_sub = e_.fcmp(FCmp::OLt, x, number(least));
    auto normal = e_.select(is_sub, mul(x, number(scale)), x);
    auto zero   = e_.select(is_sub, number(count + double(bias_) + (is_double_ ? 54 : 25)), number(count + double(bias_)));

    auto moved    = e_.bin(Add, bits(normal), whole(one - root));
    auto fraction = e_.bin(And, moved, whole((uint64_t(1) << fraction_) - 1));
    auto exponent = e_.bin(LShr, moved, whole(fraction_));
    auto k        = sub(e_.cast(Bit, e_.bin(Or, exponent, bits(number(count))), float_), zero);

    auto f     = sub(e_.cast(Bit, e_.bin(Add, fraction, whole(root)), float_), number(1));
    auto half  = mul(mul(f, number(0.5)), f);
    auto large = sub(mul_add(k, number(ln2[0]), f), half);
    auto s     = e_.bin(FDiv, f, add(f, number(2)));
    auto z     = mul(s, s);
    auto r     = mul_add(z, is_double_ ? polynomial(z, log_f64) : polynomial(z, log_f32), half);
    auto v     = add(large, mul_add(s, r, mul(k, number(ln2[1]))));

    auto is_zero = e_.fcmp(FCmp::OEq, x, number(0));
    auto other   = e_.select(is_zero, number(-infinity), number(std::numeric_limits<double>::quiet_NaN()));
    v            = e_.select(e_.fcmp(FCmp::OEq, x, number(infinity)), x, v);
    return e_.select(e_.fcmp(FCmp::OGt, x, number(0)), v, other);
}

/*
 * sine and cosine
 */

namespace {

/// Integers of 20 bits times a part of pi / 2 are exact.
constexpr double turn_limit = 0x1.8p20;

constexpr double two_by_pi = 0x1.45f306dc9c883p-1;

} // namespace

Value Approximate::is_beyond_turns(Value x) { return e_.fcmp(FCmp::UGe, abs(x), number(turn_limit)); }

/// The rest of the division by pi / 2, in two numbers. A difference that does not lose its last bits is exact, and one
/// that does has a rest that is a number: x is a multiple of 2^-53 where there is something to subtract, and the parts
/// of pi / 2 follow each other by 35 bits.
Approximate::Angle Approximate::angle(Value x) {
    auto [count, n] = nearest(x, two_by_pi);
    auto first      = mul_add(n, number(-half_pi[0]), x);
    auto second     = mul(n, number(half_pi[1]));
    auto near       = sub(first, second);
    auto third      = sub(mul(n, number(half_pi[2])), sub(sub(first, near), second));
    auto high       = sub(near, third);
    auto low        = mul_add(n, number(-half_pi[3]), sub(sub(near, high), third));
    return {count, high, low};
}

/// The sine and the cosine are put together as in FDLIBM.
Value Approximate::turn(Value x, uint64_t quarters) {
    if (!is_double_) {
        Approximate wide(e_, true);
        return e_.cast(FPTrunc, wide.turn_short(e_.cast(FPExt, x, wide.float_), quarters), float_);
    }
    auto [count, r, low] = angle(x);

    auto z    = mul(r, r);
    auto cube = mul(z, r);
    auto rest = mul(cube, polynomial(z, std::span(sin_f64).subspan(1)));
    auto fine = sub(mul(z, sub(mul(low, number(0.5)), rest)), low);
    auto sin  = sub(r, sub(fine, mul(cube, number(sin_f64[0]))));

    auto half = mul(z, number(0.5));
    auto main = sub(number(1), half);
    auto lost = sub(sub(number(1), main), half);
    auto tail = sub(mul(mul(z, z), polynomial(z, cos_f64)), mul(r, low));
    auto cos  = add(main, add(lost, tail));
    return of_quarter(e_.bin(Add, count, whole(quarters)), sin, cos);
}

/// For results in single precision.
Value Approximate::turn_short(Value x, uint64_t quarters) {
    auto [count, n] = nearest(x, two_by_pi);
    auto r          = mul_add(n, number(-half_pi[0]), x);
    r               = mul_add(n, number(-(half_pi[1] + half_pi[2])), r);
    auto z          = mul(r, r);
    auto sin        = mul_add(mul(z, r), polynomial(z, sin_f32), r);
    auto cos        = mul_add(mul(z, z), polynomial(z, cos_f32), mul_add(z, number(-0.5), number(1)));
    return of_quarter(e_.bin(Add, count, whole(quarters)), sin, cos);
}

Value Approximate::of_quarter(Value count, Value sin, Value cos) {
    auto is_odd = e_.cmp(Cmp::Ne, e_.bin(And, count, whole(1)), whole(0));
    auto sign   = e_.bin(Shl, e_.bin(And, count, whole(2)), whole(62));
    return e_.cast(Bit, e_.bin(Xor, bits(e_.select(is_odd, cos, sin)), sign), float_);
}

} // namespace mim::plug::math
