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

TEST_CASE("a product that is too large says so") {
    auto large = number(Polynomial::Number(1) << 100);
    CHECK(!large.is_overflown());
    CHECK((large * large).is_overflown());
    CHECK((large * large + number(1)).is_overflown());
}
