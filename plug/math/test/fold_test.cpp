// SPDX-License-Identifier: MIT
// Folding against the evaluator: every operation on every pair of edge values of every format and on random values; and below the
// graph, what both are made of on many more.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "eval/host.h"
#include "number.h"
#include "test/fixture.h"
#include "unit/samples.h"

using namespace mim;
using namespace mim::plug::math;
using test::Math;
using test::same;

namespace {

constexpr uint64_t nsz = 4, afn = 32;
/// Each permission alone, some together, and all.
constexpr uint64_t all_modes[] = {0, 1, 2, 3, 4, 8, 16, 32, 64, 12, 68, 124, 127};

/// What the mode permits beside equality: the other zero, and of a function the result that is rounded correctly instead of that of the C library.
bool permitted(const Format& f, uint64_t mode, bool is_function, uint64_t a, uint64_t b) {
    if (same(f, a, b)) return true;
    if ((mode & nsz) && f.is_zero(a) && f.is_zero(b)) return true;
    if (!(mode & afn) || !is_function || f.is_nan(a) || f.is_nan(b) || f.is_neg(a) != f.is_neg(b)) return false;
    constexpr uint64_t last_bits = 16; // the gamma function of the C library is that far off
    auto distance                = a > b ? a - b : b - a;
    return distance <= last_bits;
}

/// What folds is what the evaluator computes. With `must_fold`, all that is defined folds, and what is undefined stays.
template<class Enum>
void agree(Math& c, eval::Machine& m, const Format& result, Enum e, const std::vector<const Def*>& groups, bool must_fold,
           uint64_t mode = 0) {
    auto normal   = c.app(e, groups); // first: what is built twice is one node
    auto expected = test::evaluate(m, c.frozen(e, groups));
    auto lit      = isa_lit(normal);
    if (must_fold) REQUIRE(bool(lit) == bool(expected));
    if (!lit || !expected) return;
    CAPTURE(lit->value());
    CAPTURE(*expected);
    CAPTURE(mode);
    REQUIRE(permitted(result, mode, !must_fold, lit->value(), *expected));
}

std::vector<std::pair<uint64_t, uint64_t>> pairs(const Format& f) {
    std::vector<std::pair<uint64_t, uint64_t>> result;
    for (auto a : test::edges(f))
        for (auto b : test::edges(f)) result.emplace_back(a, b);
    test::Values values(f.width());
    for (int i = 0; i < 1000; ++i) {
        auto a = values(f);
        result.emplace_back(a, values.near(f, a));
    }
    std::vector<std::pair<uint64_t, uint64_t>> chosen;
    for (size_t i = 0; i < result.size(); i += unit::stride) chosen.push_back(result[i]);
    return chosen;
}

/// The first of each pair, once.
std::set<uint64_t> values_of(const Format& f) {
    std::set<uint64_t> result;
    for (auto [a, _] : pairs(f)) result.insert(a);
    return result;
}

template<class Body>
void for_formats(Body body) {
    for (auto f : test::formats) {
        Math c;
        INFO(f->name);
        test::on_machine(c, [&](eval::Machine& m) { body(c, m, *f); });
    }
}

} // namespace

TEST_CASE("math: binary operations fold as they evaluate") {
    for_formats([](Math& c, eval::Machine& m, const Format& f) {
        for (auto [a, b] : pairs(f)) {
            CAPTURE(a);
            CAPTURE(b);
            auto ab = c.w.tuple({c.lit(f, a), c.lit(f, b)});
            for (uint64_t mode : all_modes) {
                std::vector<const Def*> groups{c.pe(f), c.nat(mode), ab};
                for (unsigned op = 0; op < 5; ++op) agree(c, m, f, arith(op), groups, true, mode);
                for (unsigned op = 0; op < 4; ++op) agree(c, m, f, extrema(op), groups, true, mode);
                for (unsigned op = 0; op < 16; ++op) agree(c, m, binary64, cmp(op), groups, op != 0 && op != 15 && a != b);
                agree(c, m, f, plug::math::pow(0), groups, false, mode);
            }
        }
    });
}

TEST_CASE("math: unary operations fold as they evaluate") {
    for_formats([](Math& c, eval::Machine& m, const Format& f) {
        for (auto a : values_of(f)) {
            CAPTURE(a);
            for (uint64_t mode : all_modes) {
                std::vector<const Def*> groups{c.pe(f), c.nat(mode), c.lit(f, a)};
                agree(c, m, f, minus(0), groups, true, mode);
                agree(c, m, f, plug::math::abs(0), groups, true, mode);
                agree(c, m, f, rt::sq, groups, true, mode);
                agree(c, m, f, rt::cb, groups, false, mode);
                for (unsigned op = 0; op < 4; ++op) agree(c, m, f, plug::math::round(op), groups, true, mode);
                for (unsigned op = 0; op < 12; ++op) agree(c, m, f, tri(op), groups, false, mode);
                for (unsigned op = 0; op < 6; ++op) agree(c, m, f, plug::math::exp(op), groups, false, mode);
                for (unsigned op = 0; op < 2; ++op) agree(c, m, f, er(op), groups, false, mode);
                for (unsigned op = 0; op < 2; ++op) agree(c, m, f, plug::math::gamma(op), groups, false, mode);
            }
        }
    });
}

TEST_CASE("math: conversions fold as they evaluate") {
    auto size                       = [](Math& c, unsigned __int128 n) { return n >> 64 ? c.w.lit_2_64() : c.nat(uint64_t(n)); };
    const unsigned __int128 sizes[] = {1,
                                       2,
                                       3,
                                       10,
                                       255,
                                       256,
                                       65536,
                                       100000,
                                       (unsigned __int128)1 << 32,
                                       ((unsigned __int128)1 << 63) + 1,
                                       ((unsigned __int128)1 << 64) - 1,
                                       (unsigned __int128)1 << 64};
    for_formats([&](Math& c, eval::Machine& m, const Format& f) {
        test::Values values(7);
        for (auto n : sizes)
            for (int i = 0; i < 300; ++i) {
                auto s = size(c, n);
                auto r = values.bits() >> values.bits() % 64;
                auto v = i < 3 ? uint64_t(n - 1) / 2 + uint64_t(i) : i < 5 ? uint64_t(n - 1) : r;
                if (v >= n) v = uint64_t(v % n);
                CAPTURE(v);
                for (auto op : {conv::s2f, conv::u2f}) agree(c, m, f, op, {s, c.pe(f), c.w.lit(c.w.idx(s), v)}, true);
                auto x = i < 44 ? test::edges(f)[size_t(i)] : values(f);
                CAPTURE(x);
                for (auto op : {conv::f2s, conv::f2u}) agree(c, m, binary64, op, {c.pe(f), s, c.lit(f, x)}, true);
            }
        for (auto to : test::formats)
            for (int i = 0; i < 1000; ++i) agree(c, m, *to, conv::f2f, {c.pe(f), c.pe(*to), c.lit(f, values(f))}, true);
    });
}

/*
 * below the graph
 */

namespace {

plug::math::host::Format host_format(const Format& f) { return {f.p, f.e}; }

void check_binary(const Format& f, uint64_t a, uint64_t b) {
    namespace host = plug::math::host;
    auto h         = host_format(f);
    auto x = host::decode(h, a), y = host::decode(h, b);
    const double results[] = {x + y, x - y, x * y, x / y, std::fmod(x, y)};
    const Binary ops[]     = {mpfr_add, mpfr_sub, mpfr_mul, mpfr_div, mpfr_fmod};
    for (unsigned op = 0; op < 5; ++op) {
        auto expected = h.is_double() ? host::encode(h, results[op]) : host::round(h, results[op]);
        auto actual   = apply(f, ops[op], a, b);
        if (same(f, actual, expected)) continue;
        INFO(f.name << " op " << op << " " << a << " " << b << ": " << actual << ", expected " << expected);
        REQUIRE(false);
    }
}

void check_unary(const Format& f, uint64_t a) {
    namespace host = plug::math::host;
    auto h         = host_format(f);
    auto x         = host::decode(h, a);
    auto root      = h.is_double() ? host::encode(h, std::sqrt(x)) : host::round(h, std::sqrt(x));
    CAPTURE(a);
    if (!same(f, apply(f, mpfr_sqrt, a), root)) REQUIRE(apply(f, mpfr_sqrt, a) == root);
    for (auto to : test::formats) {
        auto t        = host_format(*to);
        auto expected = t.is_double() ? host::encode(t, x) : host::round(t, x);
        if (!same(*to, convert(f, *to, a), expected)) REQUIRE(convert(f, *to, a) == expected);
    }
    if (uint64_t again; f.is_finite(a)) {
        REQUIRE(parse(f, print(f, a), again));
        if (again != a) REQUIRE(again == a);
    }
}

} // namespace

TEST_CASE("math: correctly rounded results on random bits, all formats") {
    for (auto f : test::formats) {
        test::Values values(f->p);
        for (int i = 0; i < int(unit::samples(250000)); ++i) {
            auto a = values(*f);
            check_binary(*f, a, values.near(*f, a));
        }
        for (int i = 0; i < int(unit::samples(50000)); ++i) check_unary(*f, values(*f));
    }
}

TEST_CASE("math: all values of the formats of 16 bits") {
    for (auto f : {&binary16, &bfloat16})
        for (uint64_t a = 0; a < 0x10000; ++a) check_unary(*f, a);
}

TEST_CASE("math: integers of all sizes are rounded correctly") {
    test::Values values(3);
    for (int i = 0; i < int(unit::samples(300000)); ++i) {
        auto n = values.bits() >> values.bits() % 64;
        if (i % 3 == 0) n &= ~uint64_t(0) << values.bits() % 64;
        if (i % 3 == 1) n = (n & ~uint64_t(0) << values.bits() % 64) + values.bits() % 3 - 1;
        for (auto f : test::formats) {
            auto expected = plug::math::host::round(host_format(*f), (long double)n);
            if (from_integer(*f, n, false) == expected) continue;
            INFO(f->name << " " << n);
            REQUIRE(from_integer(*f, n, false) == expected);
        }
    }
}
