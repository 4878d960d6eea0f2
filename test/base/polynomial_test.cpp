// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "base/polynomial.h"

using mim::Polynomial;

static Polynomial number(Polynomial::Number n) { return Polynomial::number(n); }

TEST_CASE("equal polynomials are equal, whatever made them") {
    auto n = Polynomial::variable(1), m = Polynomial::variable(2);
    CHECK((n + m) * (n - m) == n * n - m * m);
    CHECK(n + m - number(1) == m - number(1) + n);
    CHECK(n - n == Polynomial());
    CHECK((n - n).value().value() == 0);
    CHECK((n * number(0) + number(7)).value().value() == 7);
    CHECK(n.as_variable().value() == 1);
    CHECK(!(n + number(1)).as_variable());
    CHECK(!(n * m).value());
    CHECK((n * m).occurs(2));
}

TEST_CASE("an equation is solved for one variable") {
    auto n = Polynomial::variable(1), m = Polynomial::variable(2), k = Polynomial::variable(3);
    CHECK((n + m - number(1) - k).solve(1) == k - m + number(1));
    CHECK((number(2) * n - number(6) * m).solve(1) == number(3) * m);
    CHECK(!(number(2) * n - number(3)).solve(1));
    CHECK(!(n * m + n - number(1)).solve(1));
    CHECK(!(m - number(1)).solve(1));
    CHECK((n * n + m).substitute(1, m + number(1)) == m * m + number(3) * m + number(1));
}

TEST_CASE("several variables are replaced at once") {
    auto n = Polynomial::variable(1), m = Polynomial::variable(2), k = Polynomial::variable(3);
    CHECK((n - m * m + k).replace({{1, m}, {2, n}}) == m - n * n + k);
    CHECK((n - m).replace({}) == n - m);
}

TEST_CASE("a product that is too large says so") {
    auto large = number(Polynomial::Number(1) << 100);
    CHECK(!large.is_overflown());
    CHECK((large * large).is_overflown());
    CHECK((large * large + number(1)).is_overflown());
}

TEST_CASE("a polynomial is divided by another one, or not at all") {
    auto n = Polynomial::variable(1), m = Polynomial::variable(2), k = Polynomial::variable(3);
    CHECK((n * n - m * m).divide(n + m) == n - m);
    CHECK((number(64) * n).divide(number(32)) == number(2) * n);
    CHECK((m * n + m).divide(m) == n + number(1));
    CHECK((n * n * k + n * k * k).divide(n * k) == n + k);
    CHECK(Polynomial().divide(n) == Polynomial());
    CHECK(!n.divide(Polynomial()));
    CHECK(!(n * n + number(1)).divide(n));
    CHECK(!(number(3) * n).divide(number(2)));
    CHECK(!number(1).divide(n));
    CHECK((n * m + number(2) * m + n).coefficient(2) == n + number(2));
    CHECK(!(n * n).coefficient(1));
}

TEST_CASE("what divides a product is found again") {
    for (int seed = 0; seed < 200; ++seed) {
        auto some = [&](int salt) {
            auto bits   = static_cast<unsigned>((seed + 7) * (salt + 3) * 2654435761u);
            auto result = number(static_cast<int>(bits % 5) - 2);
            for (Polynomial::Var x = 1; x < 4; ++x) {
                auto c = number(static_cast<int>((bits >> (3 * x)) % 7) - 3);
                result = result + c * Polynomial::variable(x) * Polynomial::variable(1 + (bits >> (12 + x)) % 3)
                         + c * Polynomial::variable(x);
            }
            return result;
        };
        auto a = some(1), b = some(2);
        if (b == Polynomial()) continue;
        CHECK((a * b).divide(b) == a);
    }
}

TEST_CASE("several equations are solved together") {
    auto n = Polynomial::variable(1), m = Polynomial::variable(2);
    auto a = Polynomial::variable(10), b = Polynomial::variable(11), c = Polynomial::variable(12);
    auto both = mim::solve_linear({a + b - number(5) * n, a + number(2) * b - number(8) * n}, {10, 11});
    CHECK(both.size() == 2);
    CHECK(both[10] == number(2) * n);
    CHECK(both[11] == number(3) * n);
    auto crossed = mim::solve_linear(
        {number(2) * a + number(3) * b - number(12) * n, number(3) * a + number(2) * b - number(13) * n}, {10, 11});
    CHECK(crossed[10] == number(3) * n);
    CHECK(crossed[11] == number(2) * n);
    // m · a + m = m · n + 2 · m, and then a product of unknowns
    auto symbolic = mim::solve_linear({m * a + m - m * n - number(2) * m, a * b - n * n - n}, {10, 11});
    CHECK(symbolic[10] == n + number(1));
    CHECK(symbolic[11] == n);
    CHECK(mim::solve_linear({a * b - number(6)}, {10, 11}).empty());
    CHECK(mim::solve_linear({number(2) * a - number(3)}, {10}).empty());
    CHECK(mim::solve_linear({a + b - n}, {10, 11}).empty());
    CHECK(mim::solve_linear({a * a - n * n}, {10}).empty());
    auto some = mim::solve_linear({a - n, b + c - m}, {10, 11, 12});
    CHECK(some.size() == 1);
    CHECK(some[10] == n);
}

TEST_CASE("a system that has one solution is solved") {
    auto n = Polynomial::variable(1), m = Polynomial::variable(2);
    auto a = Polynomial::variable(10), b = Polynomial::variable(11);
    auto some = [](int seed, int range) {
        return number(static_cast<int>(static_cast<unsigned>(seed * 7919 + 13) % 97) % range - range / 2);
    };
    int num_solved = 0;
    for (int seed = 0; seed < 500; ++seed) {
        auto c = some(seed, 7), d = some(seed + 1000, 7), e = some(seed + 2000, 7), f = some(seed + 3000, 7);
        auto x = some(seed + 4000, 9) * n + some(seed + 5000, 9) * n * m, y = some(seed + 6000, 9) + some(seed + 7000, 9) * m;
        if ((c * f - d * e).value() == 0) continue;
        auto found = mim::solve_linear({c * a + d * b - c * x - d * y, e * a + f * b - e * x - f * y}, {10, 11});
        ++num_solved;
        CHECK(found.size() == 2);
        CHECK(found[10] == x);
        CHECK(found[11] == y);
    }
    CHECK(num_solved > 100);
}
