// SPDX-License-Identifier: MIT
#include "eval/meaning.h"

#include <cmath>
#include <string>

#include "eval/host.h"
#include "math/annexes.h"

namespace mim::plug::math {

using eval::Machine;
using eval::Value;

namespace {

host::Format format(Machine& m, size_t i, const Def* app) {
    auto [p, e] = m.nums<2>(m.group(i));
    host::Format f{p, e};
    if (!f.is_known()) m.fail("a float of " + std::to_string(p) + " and " + std::to_string(e) + " bits", app);
    return f;
}

/// An operation with a format, a mode and arguments: the groups 0, 1, 2.
struct Op {
    Op(Machine& m, const Def* app)
        : m(m)
        , app(app)
        , format(math::format(m, 0, app))
        , mode(m.num(m.group(1))) {}

    Machine& m;
    const Def* app;
    host::Format format;
    uint64_t mode;

    /// Ends the run if the mode forbids this value.
    double check(double v) {
        if ((mode & 1) && std::isnan(v)) m.undefined("a NaN", app);
        if ((mode & 2) && std::isinf(v)) m.undefined("an infinity", app);
        return v;
    }
    double arg(const Value& v) { return check(host::decode(format, m.num(v))); }
    std::pair<double, double> args() {
        auto [a, b] = m.elems<2>(m.group(2));
        auto x      = arg(a);
        return {x, arg(b)};
    }
    Value exactly(double v) { return Value::num(host::encode(format, check(v))); }
    Value rounded(double v) {
        auto bits = format.is_double() ? host::encode(format, v) : host::round(format, v);
        check(host::decode(format, bits));
        return Value::num(bits);
    }
    /// A function of the C library: that for double precision, or the one for single precision.
    Value call(double (*wide)(double), float (*narrow)(float)) {
        auto v = arg(m.group(2));
        return rounded(format.is_double() ? wide(v) : double(narrow(float(v))));
    }
};

} // namespace

Value mean_inf(Machine& m, const Def* app) { return Value::num(host::encode(format(m, 0, app), INFINITY)); }
Value mean_nan(Machine& m, const Def* app) { return Value::num(host::encode(format(m, 0, app), NAN)); }

Value mean_arith(Machine& m, const Def* app) {
    Op op(m, app);
    auto [a, b] = op.args();
    switch (arith(m.sub())) {
        case arith::add: return op.rounded(a + b);
        case arith::sub: return op.rounded(a - b);
        case arith::mul: return op.rounded(a * b);
        case arith::div: return op.rounded(a / b);
        case arith::rem: return op.exactly(std::fmod(a, b));
    }
    m.fail("no such operation", app);
}

/*
 * signs: of NaNs, too
 */

namespace {
Value with_sign(Machine& m, const Def* app, bool flips) {
    Op op(m, app);
    auto bits = m.num(m.group(2));
    auto sign = uint64_t(1) << (op.format.p + op.format.e);
    op.check(host::decode(op.format, bits));
    return Value::num(flips ? bits ^ sign : bits & (sign - 1));
}
} // namespace

Value mean_minus(Machine& m, const Def* app) { return with_sign(m, app, true); }
Value mean_abs(Machine& m, const Def* app) { return with_sign(m, app, false); }

Value mean_extrema(Machine& m, const Def* app) {
    Op op(m, app);
    auto [a, b]      = op.args();
    auto which       = extrema(m.sub());
    bool ignores_nan = which == extrema::fmin || which == extrema::fmax;
    bool is_max      = which == extrema::fmax || which == extrema::ieee754max;
    if (std::isnan(a)) return op.exactly(ignores_nan ? b : a);
    if (std::isnan(b)) return op.exactly(ignores_nan ? a : b);
    bool a_first = a < b || (a == b && std::signbit(a)); // in ascending order
    return op.exactly(a_first == is_max ? b : a);
}

Value mean_round(Machine& m, const Def* app) {
    Op op(m, app);
    auto v = op.arg(m.group(2));
    switch (math::round(m.sub())) {
        case math::round::f: return op.exactly(std::floor(v));
        case math::round::c: return op.exactly(std::ceil(v));
        case math::round::r: return op.exactly(std::round(v));
        case math::round::t: return op.exactly(std::trunc(v));
    }
    m.fail("no such operation", app);
}

/*
 * functions
 */

Value mean_tri(Machine& m, const Def* app) {
    Op op(m, app);
    switch (tri(m.sub())) {
        case tri::sin: return op.call(::sin, ::sinf);
        case tri::cos: return op.call(::cos, ::cosf);
        case tri::tan: return op.call(::tan, ::tanf);
        case tri::sinh: return op.call(::sinh, ::sinhf);
        case tri::cosh: return op.call(::cosh, ::coshf);
        case tri::tanh: return op.call(::tanh, ::tanhf);
        case tri::asin: return op.call(::asin, ::asinf);
        case tri::acos: return op.call(::acos, ::acosf);
        case tri::atan: return op.call(::atan, ::atanf);
        case tri::asinh: return op.call(::asinh, ::asinhf);
        case tri::acosh: return op.call(::acosh, ::acoshf);
        case tri::atanh: return op.call(::atanh, ::atanhf);
    }
    m.fail("no such operation", app);
}

Value mean_exp(Machine& m, const Def* app) {
    Op op(m, app);
    switch (math::exp(m.sub())) {
        case math::exp::exp: return op.call(::exp, ::expf);
        case math::exp::exp2: return op.call(::exp2, ::exp2f);
        case math::exp::exp10: return op.call(::exp10, ::exp10f);
        case math::exp::log: return op.call(::log, ::logf);
        case math::exp::log2: return op.call(::log2, ::log2f);
        case math::exp::log10: return op.call(::log10, ::log10f);
    }
    m.fail("no such operation", app);
}

Value mean_pow(Machine& m, const Def* app) {
    Op op(m, app);
    auto [a, b] = op.args();
    return op.rounded(op.format.is_double() ? ::pow(a, b) : double(::powf(float(a), float(b))));
}

Value mean_rt(Machine& m, const Def* app) {
    Op op(m, app);
    return rt(m.sub()) == rt::cb ? op.call(::cbrt, ::cbrtf) : op.rounded(::sqrt(op.arg(m.group(2))));
}

Value mean_er(Machine& m, const Def* app) {
    Op op(m, app);
    return er(m.sub()) == er::f ? op.call(::erf, ::erff) : op.call(::erfc, ::erfcf);
}

Value mean_gamma(Machine& m, const Def* app) {
    Op op(m, app);
    return math::gamma(m.sub()) == math::gamma::t ? op.call(::tgamma, ::tgammaf) : op.call(::lgamma, ::lgammaf);
}

Value mean_cmp(Machine& m, const Def* app) {
    Op op(m, app);
    auto [a, b] = op.args();
    unsigned bit;
    if (std::isnan(a) || std::isnan(b)) bit = 3; // U
    else if (a > b) bit = 2;                     // G
    else if (a < b) bit = 1;                     // L
    else bit = 0;                                // E
    return Value::num(m.sub() >> bit & 1);
}

/*
 * conversions
 */

namespace {

Value from_integer(Machine& m, const Def* app, bool is_signed) {
    auto s    = m.size(m.group(0));
    auto f    = format(m, 1, app);
    auto bits = m.num(m.group(2));
    auto v    = is_signed ? eval::signed_of(bits, s) : (__int128)bits;
    return Value::num(host::round(f, (long double)v));
}

Value to_integer(Machine& m, const Def* app, bool is_signed) {
    auto v     = host::decode(format(m, 0, app), m.num(m.group(2)));
    auto s     = m.force(m.group(1), app);
    auto size  = s.is(eval::Kind::Size64) ? (__int128)1 << 64 : (__int128)m.num(s);
    auto first = is_signed ? -(size / 2) : 0, last = is_signed ? (size - 1) / 2 : size - 1;
    if (size == 0 || std::isnan(v)) m.undefined("a result outside of its type", app);
    auto t = (long double)std::trunc(v);
    if (t < (long double)first || t > (long double)last) m.undefined("a result outside of its type", app);
    auto n = (__int128)t;
    return Value::num(uint64_t(n < 0 ? n + size : n));
}

} // namespace

Value mean_conv(Machine& m, const Def* app) {
    switch (conv(m.sub())) {
        case conv::s2f: return from_integer(m, app, true);
        case conv::u2f: return from_integer(m, app, false);
        case conv::f2s: return to_integer(m, app, true);
        case conv::f2u: return to_integer(m, app, false);
        case conv::f2f: {
            auto v  = host::decode(format(m, 0, app), m.num(m.group(2)));
            auto to = format(m, 1, app);
            return Value::num(to.is_double() ? host::encode(to, v) : host::round(to, v));
        }
    }
    m.fail("no such operation", app);
}

} // namespace mim::plug::math
