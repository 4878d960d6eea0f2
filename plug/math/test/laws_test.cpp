// SPDX-License-Identifier: MIT
// Which laws are applied in which mode: each line a law that must fire, or one that must not.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>

#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::math;
using test::Math;

namespace {

enum : uint64_t { none = 0, nnan = 1, ninf = 2, nsz = 4, arcp = 8, contract = 16, afn = 32, reassoc = 64 };

/// Terms of F64 over the variables x, y, z.
struct Laws : Math {
    Laws() {
        auto f   = type(binary64);
        auto lam = w.mut_lam(w.pi(w.sigma({f, f, f}), f));
        x = w.extract(lam->var(), 0), y = w.extract(lam->var(), 1), z = w.extract(lam->var(), 2);
    }
    const Def *x, *y, *z;

    const Def* num(double v) { return lit(binary64, std::bit_cast<uint64_t>(v)); }
    template<class Enum>
    const Def* op(Enum e, uint64_t mode, const Def* a) {
        return app(e, {pe(binary64), nat(mode), a});
    }
    template<class Enum>
    const Def* op(Enum e, uint64_t mode, const Def* a, const Def* b) {
        return app(e, {pe(binary64), nat(mode), w.tuple({a, b})});
    }
    const Def* add(uint64_t m, const Def* a, const Def* b) { return op(arith::add, m, a, b); }
    const Def* sub(uint64_t m, const Def* a, const Def* b) { return op(arith::sub, m, a, b); }
    const Def* mul(uint64_t m, const Def* a, const Def* b) { return op(arith::mul, m, a, b); }
    const Def* div(uint64_t m, const Def* a, const Def* b) { return op(arith::div, m, a, b); }
    const Def* neg(const Def* a) { return op(minus(0), none, a); }
    /// It stays the operation that was asked for.
    template<class Enum>
    bool stays(Enum e, const Def* def) {
        return bool(match(e, def));
    }
};

} // namespace

TEST_CASE_FIXTURE(Laws, "math: laws of mode 0 are those of IEEE 754") {
    CHECK(add(none, x, num(-0.0)) == x);
    CHECK(sub(none, x, num(0.0)) == x);
    CHECK(mul(none, num(1), x) == x);
    CHECK(div(none, x, num(1)) == x);
    CHECK(mul(none, x, num(-1)) == neg(x));
    CHECK(sub(none, num(-0.0), x) == neg(x));
    CHECK(neg(neg(x)) == x);
    CHECK(add(none, x, y) == add(none, y, x));
    CHECK(mul(none, x, y) == mul(none, y, x));
    CHECK(add(none, x, neg(y)) == sub(none, x, y));
    CHECK(sub(none, x, neg(y)) == add(none, x, y));
    CHECK(mul(none, neg(x), neg(y)) == mul(none, x, y));
    CHECK(mul(none, neg(x), y) == neg(mul(none, x, y)));
    CHECK(div(none, neg(x), neg(y)) == div(none, x, y));
    CHECK(sub(none, x, num(2)) == add(none, x, num(-2)));
    CHECK(div(none, x, num(4)) == mul(none, x, num(0.25)));
    CHECK(op(plug::math::abs(0), none, neg(x)) == op(plug::math::abs(0), none, x));
    CHECK(op(arith::rem, none, x, neg(y)) == op(arith::rem, none, x, y));
    auto floor = op(plug::math::round::f, none, x);
    CHECK(op(plug::math::round::c, none, floor) == floor);
}

TEST_CASE_FIXTURE(Laws, "math: mode 0 allows nothing extra") {
    CHECK(stays(arith::add, add(none, x, num(0.0))));
    CHECK(stays(arith::add, sub(none, x, num(-0.0))));
    CHECK(stays(arith::sub, sub(none, num(0.0), x)));
    CHECK(stays(arith::sub, sub(none, x, x)));
    CHECK(stays(arith::mul, mul(none, x, num(0.0))));
    CHECK(stays(arith::div, div(none, x, x)));
    CHECK(stays(arith::div, div(none, x, num(3))));
    CHECK(stays(arith::sub, sub(none, add(none, x, y), y)));
    CHECK(stays(arith::add, add(none, num(1), add(none, num(2), x))));
    CHECK(add(none, num(1), add(none, num(2), x)) != add(none, num(3), x));
    CHECK(stays(minus(0), neg(sub(none, x, y))));
    CHECK(stays(plug::math::exp::exp, op(plug::math::exp::exp, none, num(1))));
    CHECK(stays(plug::math::pow(0), op(plug::math::pow(0), none, x, num(2))));
    CHECK(stays(plug::math::gamma::t, op(plug::math::gamma::t, none, num(5))));
}

TEST_CASE_FIXTURE(Laws, "math: each permission has its laws") {
    CHECK(add(nsz, x, num(0.0)) == x);
    CHECK(app(minus(0), {pe(binary64), nat(nsz), sub(nsz, x, y)}) == sub(nsz, y, x));
    CHECK(sub(nnan, x, x) == num(0));
    CHECK(div(nnan, x, x) == num(1));
    CHECK(mul(nnan | nsz, x, num(0)) == num(0));
    CHECK(stays(arith::mul, mul(nnan, x, num(0))));
    CHECK(div(arcp, x, num(3)) == mul(arcp, x, num(1 / 3.0)));
    CHECK(stays(arith::add, add(reassoc, num(1), add(reassoc, num(2), x))));
    auto free = reassoc | nsz;
    CHECK(add(free, num(1), add(free, num(2), x)) == add(free, num(3), x));
    CHECK(add(free, num(1), add(nsz, num(2), x)) != add(free, num(3), x)); // both must permit it
    CHECK(add(free, add(free, x, num(1)), add(free, y, num(2))) == add(free, num(3), add(free, x, y)));
    CHECK(sub(free, add(free, x, y), y) == x);
    CHECK(add(free, sub(free, x, y), y) == x);
    CHECK(mul(free, num(3), mul(free, num(2), x)) == mul(free, num(6), x));
    CHECK(op(plug::math::pow(0), afn, x, num(2)) == mul(afn, x, x));
    CHECK(op(plug::math::pow(0), afn, x, num(-1)) == div(afn, num(1), x));
    CHECK(op(plug::math::exp::exp, afn, num(1)) == num(0x1.5bf0a8b145769p+1));
    CHECK(op(plug::math::gamma::t, afn, num(5)) == num(24));
    CHECK(op(tri::sin, afn, num(1)) == num(0x1.aed548f090ceep-1));
}

TEST_CASE_FIXTURE(Laws, "math: functions are folded where C fixes their results") {
    CHECK(op(plug::math::exp::exp, none, num(0)) == num(1));
    CHECK(op(plug::math::exp::log, none, num(1)) == num(0));
    CHECK(op(tri::sin, none, num(-0.0)) == num(-0.0));
    CHECK(op(tri::cos, none, num(0)) == num(1));
    CHECK(op(tri::acos, none, num(1)) == num(0));
    CHECK(op(er::fc, none, num(INFINITY)) == num(0));
    CHECK(op(rt::cb, none, num(-INFINITY)) == num(-INFINITY));
    CHECK(op(plug::math::pow(0), none, x, num(0)) == num(1));
    CHECK(op(plug::math::pow(0), none, x, num(1)) == x);
    CHECK(stays(tri::atan, op(tri::atan, none, num(INFINITY)))); // π/2 is rounded
}

TEST_CASE_FIXTURE(Laws, "math: comparisons are reduced to what can be") {
    CHECK(op(cmp::l, none, num(1), x) == op(cmp::g, none, x, num(1)));
    CHECK(op(cmp::e, none, x, y) == op(cmp::e, none, y, x));
    CHECK(op(cmp::e, none, x, x) == op(cmp::o, none, x, x));
    CHECK(op(cmp::une, none, x, x) == op(cmp::u, none, x, x));
    CHECK(op(cmp::l, none, x, x) == w.ff());
    CHECK(op(cmp::uge, none, x, x) == w.tt());
    CHECK(op(cmp::e, nnan, x, x) == w.tt());
    CHECK(op(cmp::ule, nnan, x, y) == op(cmp::le, nnan, x, y));
    CHECK(op(cmp::e, none, x, num(NAN)) == w.ff());
    CHECK(op(cmp::u, none, x, num(NAN)) == w.tt());
    CHECK(op(cmp::g, none, x, num(INFINITY)) == w.ff());
    CHECK(op(cmp::l, none, neg(x), neg(y)) == op(cmp::g, none, x, y));
    CHECK(op(cmp::l, none, neg(x), num(2)) == op(cmp::g, none, x, num(-2)));
}

TEST_CASE_FIXTURE(Laws, "math: minimum and maximum") {
    using enum extrema;
    CHECK(op(fmin, none, x, x) == x);
    CHECK(op(fmin, none, num(NAN), x) == x);
    CHECK(op(ieee754min, none, num(NAN), x) == num(NAN));
    CHECK(op(fmin, none, x, num(-INFINITY)) == num(-INFINITY));
    CHECK(stays(ieee754min, op(ieee754min, none, x, num(-INFINITY))));
    CHECK(op(ieee754max, none, x, num(-INFINITY)) == x);
    CHECK(stays(fmax, op(fmax, none, x, num(-INFINITY))));
    CHECK(op(fmax, nnan, x, num(-INFINITY)) == x);
    CHECK(op(fmax, none, num(3), op(fmax, none, num(5), x)) == op(fmax, none, num(5), x));
    CHECK(op(fmax, none, y, op(fmax, none, x, y)) == op(fmax, none, x, y));
}

TEST_CASE_FIXTURE(Laws, "math: conversions that lose nothing are skipped") {
    auto to = [&](const Format& from, const Format& to, const Def* v) { return app(conv::f2f, {pe(from), pe(to), v}); };
    CHECK(to(binary64, binary64, x) == x);
    auto f = w.mut_lam(w.pi(w.sigma({type(binary16), w.idx(65536)}), type(binary16)));
    auto h = w.extract(f->var(), 0), n = w.extract(f->var(), 1);
    CHECK(to(binary64, binary16, to(binary16, binary64, h)) == h);
    CHECK(to(binary32, binary64, to(binary16, binary32, h)) == to(binary16, binary64, h));
    CHECK(match(conv::f2f, to(bfloat16, binary64, to(binary16, bfloat16, h)))->as<App>()->arg() != h);
    auto single = app(conv::u2f, {nat(65536), pe(binary32), n});
    CHECK(app(conv::f2u, {pe(binary32), nat(65536), single}) == n);
    CHECK(to(binary32, binary64, single) == app(conv::u2f, {nat(65536), pe(binary64), n}));
    auto half = app(conv::u2f, {nat(65536), pe(binary16), n});
    CHECK(match(conv::f2u, app(conv::f2u, {pe(binary16), nat(65536), half})));
    CHECK(match(conv::f2s, app(conv::f2s, {pe(binary32), nat(65536), single})));
}

TEST_CASE_FIXTURE(Laws, "math: an unknown mode permits nothing and forbids everything") {
    auto f    = w.mut_lam(w.pi(w.nat(), w.nat()));
    auto mode = f->var();
    auto make = [&](const Def* a, const Def* b) { return app(arith::sub, {pe(binary64), mode, w.tuple({a, b})}); };
    CHECK(make(num(3), num(1)) == num(2));
    CHECK(stays(arith::sub, make(x, x)));
    CHECK(stays(arith::sub, make(num(INFINITY), num(1))));
}

TEST_CASE_FIXTURE(Laws, "math: a 0 needs no format") {
    auto f    = w.mut_lam(w.pi(w.sigma({w.nat(), w.nat()}), w.nat()));
    auto type = w.app(w.annex(F(0)), f->var());
    auto g    = w.mut_lam(w.pi(type, type));
    auto zero = read_literal(w, type, "0");
    CHECK(app(arith::sub, {f->var(), nat(0), w.tuple({g->var(), zero})}) == g->var());
    CHECK(app(cmp::l, {f->var(), nat(0), w.tuple({zero, zero})}) == w.ff());
    CHECK(match(cmp::o, app(cmp::e, {f->var(), nat(0), w.tuple({zero, zero})})));
    CHECK(match(arith::add, app(arith::add, {f->var(), nat(0), w.tuple({zero, zero})})));
    CHECK_THROWS_AS(read_literal(w, type, "1"), Error);
}
