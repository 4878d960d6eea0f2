// SPDX-License-Identifier: MIT
// Random terms over variables, twice: built with the normalizers and called with some values, and built without them from the same
// values. Where the second is defined, both evaluate to the same. What a mode permits beyond IEEE 754 is tested with terms where it makes
// no difference: without a division where signs of zeros do not count, with small integers where sums are grouped anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "test/fixture.h"
#include "unit/samples.h"

using namespace mim;
using namespace mim::plug::math;
using test::Math;

namespace {

struct Kind {
    uint64_t mode;
    bool divides;  ///< divisions and what else tells zeros apart
    bool integers; ///< only small integers and what is exact on them
};

/// Makes terms; the same seed makes the same term from other leaves.
class Terms {
public:
    Terms(Math& c, uint64_t seed, const Format& f, const Kind& kind, std::vector<const Def*> leaves)
        : c_(c)
        , random_(seed)
        , values_(seed)
        , f_(f)
        , kind_(kind)
        , leaves_(std::move(leaves)) {}

    const Def* term(unsigned depth) {
        if (depth == 0) return leaf();
        auto a  = term(depth - 1);
        auto b  = below(6) == 0 ? a : term(depth - 1);
        auto ab = c_.w.tuple({a, b});
        switch (below(9)) {
            case 0:
            case 1:
            case 2: return op(arith(below(kind_.divides ? 5 : 3)), ab);
            case 3: return op(extrema(below(4)), ab);
            case 4: return op(minus(0), a);
            case 5: return below(3) == 0 ? op(plug::math::abs(0), a) : op(plug::math::round(below(4)), a);
            case 6: return c_.w.extract(ab, op(cmp(below(16)), c_.w.tuple({a, term(depth - 1)})));
            case 7: return kind_.divides ? op(rt::sq, a) : quarter(a);
            default: return kind_.integers ? a : there_and_back(a);
        }
    }

private:
    uint64_t below(uint64_t n) { return random_() % n; }
    template<class Enum>
    const Def* op(Enum e, const Def* arg) {
        return c_.app(e, {c_.pe(f_), c_.nat(kind_.mode), arg});
    }
    /// Divided by 4: exact.
    const Def* quarter(const Def* a) {
        auto four = c_.lit(f_, f_.one() + (uint64_t(2) << f_.p));
        return kind_.integers ? op(arith::div, c_.w.tuple({a, four})) : a;
    }
    const Def* there_and_back(const Def* a) {
        auto s    = c_.nat(below(2) ? uint64_t(1) << 32 : 1 + below(1000));
        auto& mid = *test::formats[below(4)];
        auto sign = below(2);
        if (below(2)) return c_.app(conv::f2f, {c_.pe(mid), c_.pe(f_), c_.app(conv::f2f, {c_.pe(f_), c_.pe(mid), a})});
        auto number = c_.app(sign ? conv::f2s : conv::f2u, {c_.pe(f_), s, a});
        return c_.app(sign ? conv::s2f : conv::u2f, {s, c_.pe(f_), number});
    }
    const Def* leaf() {
        auto pick = below(leaves_.size() + 2); // drawn in any case: the other term has other leaves, not other choices
        auto bits = kind_.integers ? integer() : below(3) ? values_(f_) : f_.one() * below(2) ^ f_.sign_bit() * below(2);
        return pick < leaves_.size() ? leaves_[pick] : c_.lit(f_, bits);
    }

public:
    uint64_t integer() {
        static constexpr double numbers[] = {0, 1, 2, 3, 4, 5, 7, 8, 12};
        auto bits                         = std::bit_cast<uint64_t>(numbers[below(std::size(numbers))]);
        return below(2) ? bits : bits | f_.sign_bit();
    }

private:
    Math& c_;
    std::mt19937_64 random_;
    test::Values values_;
    const Format& f_;
    const Kind& kind_;
    std::vector<const Def*> leaves_;
};

bool equal(const Format& f, const Kind& kind, uint64_t a, uint64_t b) {
    return test::same(f, a, b) || ((kind.mode & 4) && f.is_zero(a) && f.is_zero(b));
}

using Result = std::optional<uint64_t>;

/// What the term of this seed yields for six values of its variables.
void evaluate_term(Math& c, eval::Machine& m, const Format& f, const Kind& kind, uint64_t seed, bool normalize,
                   std::vector<Result>& results) {
    auto& w   = c.w;
    auto type = c.type(f);
    auto lam  = w.mut_lam(w.pi(w.sigma({type, type, type}), type));
    w.set_filter(lam, w.ff());
    std::vector<const Def*> vars;
    for (uint64_t i = 0; i < 3; ++i) vars.push_back(w.extract(lam->var(), i));
    std::optional<World::Frozen> frozen;
    if (!normalize) frozen.emplace(w);
    w.set_body(lam, Terms(c, seed, f, kind, vars).term(3));
    w.close(std::span<Lam* const>(&lam, 1));
    test::Values values(seed + 1);
    Terms numbers(c, seed + 1, f, kind, {});
    for (unsigned i = 0; i != 6; ++i) {
        std::vector<const Def*> leaves;
        for (int j = 0; j != 3; ++j) leaves.push_back(c.lit(f, kind.integers ? numbers.integer() : values(f)));
        results.push_back(test::evaluate(m, w.app(lam, leaves)));
    }
}

/// In a World of its own, with or without normalizers.
std::vector<Result> evaluate_terms(const Format& f, const Kind& kind, uint64_t first_seed, unsigned num, bool normalize) {
    std::vector<Result> results;
    Math c;
    test::on_machine(c, [&](eval::Machine& m) {
        for (uint64_t i = 0; i < num; ++i) evaluate_term(c, m, f, kind, first_seed + i, normalize, results);
    });
    return results;
}

void compare_all(const Kind& kind, std::initializer_list<const Format*> formats, unsigned all) {
    auto num   = unit::samples(all);
    auto batch = std::min(num, 500u); // terms in one World
    for (auto f : formats) {
        unsigned defined = 0;
        for (unsigned seed = 0; seed < num; seed += batch) {
            auto expected = evaluate_terms(*f, kind, seed, batch, false);
            auto actual   = evaluate_terms(*f, kind, seed, batch, true);
            REQUIRE(expected.size() == actual.size());
            for (size_t i = 0; i < expected.size(); ++i) {
                if (!expected[i]) continue;
                ++defined;
                INFO(f->name << ", mode " << kind.mode << ", seed " << seed + i / 6 << ", value " << i % 6);
                REQUIRE(bool(actual[i]));
                CAPTURE(*actual[i]);
                CAPTURE(*expected[i]);
                REQUIRE(equal(*f, kind, *actual[i], *expected[i]));
            }
        }
        CHECK(defined > num);
    }
}

} // namespace

TEST_CASE("math: random terms mean the same with and without normalizers") {
    compare_all({0, true, false}, {&binary16, &bfloat16, &binary32, &binary64}, 2000);
}

TEST_CASE("math: random terms without NaNs and infinities mean the same") {
    for (uint64_t mode : {1, 2, 3}) compare_all({mode, true, false}, {&binary16, &binary64}, 1500);
}

TEST_CASE("math: random terms mean the same where the sign of a zero does not count") {
    for (uint64_t mode : {4, 7}) compare_all({mode, false, false}, {&binary16, &binary32}, 1500);
}

TEST_CASE("math: random terms mean the same where only what machines do with them is permitted") {
    for (uint64_t mode : {16, 32, 48}) compare_all({mode, true, false}, {&binary16, &bfloat16, &binary64}, 1000);
    compare_all({8, false, false}, {&binary16, &binary64}, 1000);
}

TEST_CASE("math: random terms are the same number when their operands are grouped anew") {
    for (uint64_t mode : {64, 68, 76, 127 - 32}) compare_all({mode, false, true}, {&binary64}, 4000);
}
