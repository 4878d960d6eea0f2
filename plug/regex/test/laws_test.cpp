// SPDX-License-Identifier: MIT
// Normal forms are equal where the algebra of languages says so, and nothing is moved across what has an order.
#include <doctest/doctest.h>

#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::regex;
using test::Regex;

TEST_CASE_FIXTURE(Regex, "conjunctions are flat, and neighbours that repeat the same are one") {
    auto a = chr('a'), b = chr('b'), c = chr('c');
    auto empty = of(conj(0), {}), nothing = of(disj(0), {});
    CHECK(of(conj(0), {a}) == a);
    CHECK(of(conj(0), {of(conj(0), {a, b}), c}) == of(conj(0), {a, of(conj(0), {b, c})}));
    CHECK(of(conj(0), {a, empty, b}) == of(conj(0), {a, b}));
    CHECK(of(conj(0), {a, nothing}) == nothing);
    CHECK(of(conj(0), {a, star(a)}) == plus(a));
    CHECK(of(conj(0), {star(a), a}) == plus(a));
    CHECK(of(conj(0), {b, star(a), star(a), b}) == of(conj(0), {b, star(a), b}));
    CHECK(of(conj(0), {star(a), opt(a)}) == star(a));
    CHECK(of(conj(0), {plus(a), star(a), star(a)}) == plus(a));
    CHECK(of(conj(0), {plus(a), plus(a)}) != plus(a));
    CHECK(of(conj(0), {a, b}) != of(conj(0), {b, a}));
}

TEST_CASE_FIXTURE(Regex, "disjunctions are sorted sets, and their ranges touch nowhere") {
    auto a = chr('a'), b = chr('b'), ab = of(conj(0), {a, b}), ba = of(conj(0), {b, a});
    auto empty = of(conj(0), {}), nothing = of(disj(0), {});
    CHECK(of(disj(0), {a}) == a);
    CHECK(of(disj(0), {a, b}) == chr('a', 'b'));
    CHECK(of(disj(0), {chr('c', 'f'), chr('a', 'd')}) == chr('a', 'f'));
    CHECK(of(disj(0), {chr(0, 'x'), chr('y', 255)}) == w.annex(any(0)));
    CHECK(of(disj(0), {ab, ba}) == of(disj(0), {ba, ab, ab}));
    CHECK(of(disj(0), {ab, of(disj(0), {a, ba})}) == of(disj(0), {of(disj(0), {ab, a}), ba}));
    CHECK(of(disj(0), {ab, nothing}) == ab);
    CHECK(of(disj(0), {ab, empty}) == opt(ab));
    CHECK(of(disj(0), {opt(ab), ba}) == opt(of(disj(0), {ab, ba})));
    CHECK(of(disj(0), {ab, star(ab)}) == star(ab));
    CHECK(of(disj(0), {plus(ab), empty}) == star(ab));
    CHECK(of(disj(0), {a, star(chr('a', 'z'))}) == star(chr('a', 'z')));
}

TEST_CASE_FIXTURE(Regex, "quantifiers of quantifiers are one") {
    auto a = of(conj(0), {chr('a'), chr('b')});
    CHECK(opt(opt(a)) == opt(a));
    CHECK(star(star(a)) == star(a));
    CHECK(plus(plus(a)) == plus(a));
    for (auto r : {star(opt(a)), opt(star(a)), plus(opt(a)), opt(plus(a)), star(plus(a)), plus(star(a))}) CHECK(r == star(a));
    CHECK(star(of(conj(0), {})) == of(conj(0), {}));
    CHECK(star(of(disj(0), {})) == of(conj(0), {}));
    CHECK(plus(of(disj(0), {})) == of(disj(0), {}));
    CHECK(rep(2, 3, a) == of(conj(0), {a, a, opt(a)}));
    CHECK(rep(0, 0, a) == of(conj(0), {}));
}

TEST_CASE_FIXTURE(Regex, "a negation is the other characters") {
    auto neg = [&](const Def* r) { return un(not_(0), r); };
    CHECK(neg(chr('b', 'c')) == of(disj(0), {chr(0, 'a'), chr('d', 255)}));
    CHECK(neg(neg(chr('b', 'c'))) == chr('b', 'c'));
    CHECK(neg(w.annex(any(0))) == of(disj(0), {}));
    CHECK(neg(of(disj(0), {})) == w.annex(any(0)));
    CHECK_THROWS_AS(neg(star(chr('a'))), Error);
    CHECK_THROWS_AS(neg(w.annex(at::start)), Error);
    CHECK_THROWS_AS(chr('b', 'a'), Error);
    CHECK_THROWS_AS(rep(3, 2, chr('a')), Error);
    CHECK(un(nocase(0), of(conj(0), {chr('a'), star(chr('Y', 'Z'))}))
          == of(conj(0), {of(disj(0), {chr('a'), chr('A')}), star(of(disj(0), {chr('y', 'z'), chr('Y', 'Z')}))}));
}

TEST_CASE_FIXTURE(Regex, "what has an order stays as it was written") {
    auto a = chr('a'), ab = of(conj(0), {a, chr('b')});
    auto first = of(alt(0), {a, ab}), less = un(lazy::star, a);
    CHECK(first != of(alt(0), {ab, a}));
    CHECK(of(alt(0), {a, a}) != a);
    CHECK(star(less) != less);
    CHECK(star(star(first)) != star(first));
    CHECK(of(conj(0), {less, less}) != less);
    // the longest a* a, and then something else, is not a+ tried in order
    CHECK(of(conj(0), {of(conj(0), {star(ab), star(a)}), first}) != of(conj(0), {star(ab), star(a), first}));
    CHECK(of(alt(0), {of(alt(0), {a, ab}), a}) == of(alt(0), {a, ab, a}));
}

TEST_CASE_FIXTURE(Regex, "a variable is no known pattern until it is one") {
    auto lam = w.mut_lam(w.pi(chr('a')->type(), chr('a')->type()));
    auto r   = of(conj(0), {lam->var(), star(lam->var())});
    CHECK(r != plus(lam->var()));
    w.set(lam, w.tt(), un(not_(0), lam->var()));
    CHECK(w.app(w.seal(lam), chr(1, 255)) == chr(0));
    CHECK(w.subst(r, lam->var(), chr('x')) == plus(chr('x')));
}
