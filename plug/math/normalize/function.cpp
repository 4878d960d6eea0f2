// SPDX-License-Identifier: MIT
// The functions of <math.h>. What they yield at run time is up to the C library of the machine that the program runs on, and no
// two libraries agree on the last bit. So they are folded only where every library that follows C's Annex F agrees: at NaNs,
// infinities, zeros and the few ones whose result is exact. The mode `afn` permits more: the correctly rounded result.
// Square roots are different: IEEE 754 fixes them.
#include <array>
#include <span>

#include "normalize/common.h"
#include "number.h"

namespace mim::plug::math {

namespace {

/// One function: how to compute it, and whether its result at 1 is exact and C says so.
struct Function {
    Unary apply;
    bool exact_at_one = false;
};

int log_abs_gamma(mpfr_t r, mpfr_srcptr a, mpfr_rnd_t mode) {
    int sign;
    return mpfr_lgamma(r, &sign, a, mode);
}

constexpr Function tri_functions[]   = {{mpfr_sin},  {mpfr_cos},   {mpfr_tan},         {mpfr_sinh},
                                        {mpfr_cosh}, {mpfr_tanh},  {mpfr_asin},        {mpfr_acos, true},
                                        {mpfr_atan}, {mpfr_asinh}, {mpfr_acosh, true}, {mpfr_atanh}};
constexpr Function exp_functions[]   = {{mpfr_exp},       {mpfr_exp2},       {mpfr_exp10},
                                        {mpfr_log, true}, {mpfr_log2, true}, {mpfr_log10, true}};
constexpr Function er_functions[]    = {{mpfr_erf}, {mpfr_erfc}};
constexpr Function gamma_functions[] = {{mpfr_gamma}, {log_abs_gamma, true}};
constexpr Function cubic_root        = {mpfr_cbrt};

/// Beyond this, the gamma function overflows in every format; MPFR would compute all digits first.
constexpr double gamma_limit = 2000;

const Def* fold(const Op& c, const Function& function) {
    auto v = c.value(c.arg);
    if (!v) return nullptr;
    auto& f      = *c.format;
    bool special = !f.is_finite(*v) || f.is_zero(*v) || (function.exact_at_one && *v == f.one());
    if (!special && !c.mode.permits(Mode::afn)) return nullptr;
    if (function.apply == mpfr_gamma && f.is_finite(*v) && mpfr_cmpabs_ui(Number(f, *v).get(), long(gamma_limit)) > 0)
        return nullptr;
    bool exact;
    auto result = apply(f, function.apply, *v, &exact);
    return exact || c.mode.permits(Mode::afn) ? c.fold(result, *v) : nullptr;
}

const Def* normalize(const Redex& redex, std::span<const Function> functions) { return fold(Op(redex), functions[redex.sub()]); }

} // namespace

const Def* normalize_tri(const Redex& redex) { return normalize(redex, tri_functions); }
const Def* normalize_exp(const Redex& redex) { return normalize(redex, exp_functions); }
const Def* normalize_er(const Redex& redex) { return normalize(redex, er_functions); }
const Def* normalize_gamma(const Redex& redex) { return normalize(redex, gamma_functions); }

const Def* normalize_rt(const Redex& redex) {
    Op c(redex);
    if (rt(c.sub()) == rt::cb) return fold(c, cubic_root);
    auto v = c.value(c.arg);
    return v ? c.fold(apply(*c.format, mpfr_sqrt, *v), *v) : nullptr;
}

const Def* normalize_pow(const Redex& redex) {
    Op c(redex);
    if (!c.format) return nullptr;
    auto [a, b] = c.elems<2>();
    auto one    = c.lit(c.format->one());
    if (c.is_one(a) || c.is_zero(b, false) || c.is_zero(b, true)) return one; // 1^b = a^0 = 1, also of a NaN
    if (c.is_one(b)) return a;                                                // a^1 = a
    if (!c.mode.permits(Mode::afn)) return nullptr;
    auto x = c.value(a), y = c.value(b);
    if (x && y) return c.fold(apply(*c.format, mpfr_pow, *x, *y), *x, *y);
    if (c.is_one(b, true)) return c.make(arith::div, one, a);                                       // a^-1 = 1 / a
    if (y && *y == c.format->one() + (uint64_t(1) << c.format->p)) return c.make(arith::mul, a, a); // a^2 = a · a
    return nullptr;
}

} // namespace mim::plug::math
