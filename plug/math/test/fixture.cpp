// SPDX-License-Identifier: MIT
#include "test/fixture.h"

#include <doctest/doctest.h>

#include "eval/meaning.h"
#include "normalize/common.h"

namespace mim::plug::math::test {

Math::Math() {
    auto pair                                                                      = w.sigma({w.nat(), w.nat()});
    add(F(0), "%math.F", {0, 1}, w.pi(pair, w.star()), 1, nullptr, nullptr).layout = layout_of;

    auto constant      = w.mut_pi(pair); // [p e: Nat] → F (p, e)
    auto constant_type = w.seal(constant, float_of(constant->var()));
    add(inf(0), "%math.inf", {0, 1}, constant_type, 1, normalize_inf, mean_inf);
    add(nan(0), "%math.nan", {0, 1}, constant_type, 1, normalize_nan, mean_nan);
    add_operations();
    add_conversions();
}

void Math::add_operations() {
    auto with_format = [&](auto codom_of) { // {p e: Nat} [m: Nat] → …
        auto pi = w.mut_pi(w.sigma({w.nat(), w.nat()}), true);
        return w.seal(pi, w.pi(w.nat(), codom_of(float_of(pi->var()))));
    };
    auto unary   = with_format([&](const Def* f) { return w.pi(f, f); });
    auto binary  = with_format([&](const Def* f) { return w.pi(w.sigma({f, f}), f); });
    auto compare = with_format([&](const Def* f) { return w.pi(w.sigma({f, f}), w.bool_type()); });
    add(arith(0), "%math.arith", {0, 5}, binary, 3, normalize_arith, mean_arith);
    add(minus(0), "%math.minus", {0, 1}, unary, 3, normalize_minus, mean_minus);
    add(abs(0), "%math.abs", {0, 1}, unary, 3, normalize_abs, mean_abs);
    add(extrema(0), "%math.extrema", {0, 4}, binary, 3, normalize_extrema, mean_extrema);
    add(math::round(0), "%math.round", {0, 4}, unary, 3, normalize_round, mean_round);
    add(tri(0), "%math.tri", {0, 12}, unary, 3, normalize_tri, mean_tri);
    add(math::pow(0), "%math.pow", {0, 1}, binary, 3, normalize_pow, mean_pow);
    add(rt(0), "%math.rt", {0, 2}, unary, 3, normalize_rt, mean_rt);
    add(math::exp(0), "%math.exp", {0, 6}, unary, 3, normalize_exp, mean_exp);
    add(er(0), "%math.er", {0, 2}, unary, 3, normalize_er, mean_er);
    add(math::gamma(0), "%math.gamma", {0, 2}, unary, 3, normalize_gamma, mean_gamma);
    add(cmp(0), "%math.cmp", {0, 16}, compare, 3, normalize_cmp, mean_cmp);
}

void Math::add_conversions() {
    auto pair      = w.sigma({w.nat(), w.nat()});
    auto conv_type = [&](bool from_int, bool to_int) {
        auto from = w.mut_pi(from_int ? w.nat() : pair, true);
        auto to   = w.mut_pi(to_int ? w.nat() : pair);
        auto dom = from_int ? w.idx(from->var()) : float_of(from->var()), codom = to_int ? w.idx(to->var()) : float_of(to->var());
        return w.seal(from, w.seal(to, w.pi(dom, codom)));
    };
    add(conv(0), "%math.conv", {0, 2}, conv_type(true, false), 3, normalize_conv, mean_conv);
    add(conv(0), "%math.conv", {2, 4}, conv_type(false, true), 3, normalize_conv, mean_conv);
    add(conv(0), "%math.conv", {4, 5}, conv_type(false, false), 3, normalize_conv, mean_conv);
}

void on_machine(Math& c, const std::function<void(eval::Machine&)>& body) {
    auto r = eval::run(c.w, [&](eval::Machine& m) { return body(m), 0; }, {});
    INFO(r.message);
    CHECK(r.status == eval::Result::Done);
}

std::vector<uint64_t> edges(const Format& f) {
    auto half = f.one() - (uint64_t(1) << f.p), two = f.one() + (uint64_t(1) << f.p);
    std::vector<uint64_t> result;
    for (uint64_t v : {uint64_t(0),
                       uint64_t(1),
                       uint64_t(2),
                       f.fraction_mask(),
                       f.fraction_mask() + 1,
                       f.fraction_mask() + 2,
                       half - 1,
                       half,
                       half + 1,
                       f.one() - 1,
                       f.one(),
                       f.one() + 1,
                       two - 1,
                       two,
                       two + 1,
                       two + (uint64_t(1) << (f.p - 1)),
                       f.one() + (uint64_t(f.p) << f.p) + 1,
                       f.max() - 1,
                       f.max(),
                       f.inf(),
                       f.nan(),
                       f.inf() + 1}) {
        result.push_back(v);
        result.push_back(v | f.sign_bit());
    }
    return result;
}

uint64_t Values::operator()(const Format& f) {
    auto r    = random_();
    auto kind = r % 8;
    auto v    = random_() & (f.sign_bit() * 2 - 1);
    auto e    = [&](uint64_t biased) { return (v & (f.sign_bit() | f.fraction_mask())) | biased << f.p; };
    switch (kind) {
        case 0: return edges(f)[(r >> 8) % edges(f).size()];
        case 1: return e(uint64_t(f.bias()) + (r >> 8) % (f.p + 3)); // around the integers
        case 2: return e((r >> 8) % 4);                              // small
        case 3: return e(2 * uint64_t(f.bias()) - (r >> 8) % 4);     // large
        case 4: return v & ~(f.fraction_mask() >> (r >> 8) % f.p);   // few bits
        default: return v;
    }
}

uint64_t Values::near(const Format& f, uint64_t other) {
    auto r = random_();
    if (r % 4 == 0) return (*this)(f);
    auto shift = int64_t((r >> 8) % (2 * f.p + 6)) - int64_t(f.p + 3); // of the exponent
    auto v     = f.magnitude(other) + (uint64_t(shift) << f.p);        // modulo 2^64
    if (int64_t(v) < 0) v = -v;
    auto bits = v ^ (r >> 40 & f.fraction_mask());
    return (bits & (f.sign_bit() - 1)) | (r >> 63 ? f.sign_bit() : 0);
}

} // namespace mim::plug::math::test
