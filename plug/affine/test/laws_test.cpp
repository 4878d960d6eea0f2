// SPDX-License-Identifier: MIT
// What the normalizers make of loops means what the loops mean, and what is undefined stays.
#include <doctest/doctest.h>

#include "test/fixture.h"

using namespace mim;
using namespace mim::plug::affine;
using test::Affine;

namespace {

constexpr uint64_t Max = ~uint64_t(0);

void on_machine(Affine& a, const std::function<void(eval::Machine&)>& body) {
    auto r = eval::run(a.w, [&](eval::Machine& m) { return body(m), 0; }, {});
    INFO(r.message);
    CHECK(r.status == eval::Result::Done);
}

/// Ranges with few turns, around 0 and up to where indices would leave 64 bits.
template<class F>
void for_ranges(const std::vector<uint64_t>& steps, F f) {
    for (auto base : {uint64_t(0), Max - 6})
        for (uint64_t start = 0; start <= 6; ++start)
            for (uint64_t stop = 0; stop <= 6; ++stop)
                for (auto step : steps) f(base + start, base + stop, step);
}

/// cn ((i, acc), next) = …, with this filter.
template<class F>
const Def* body(Affine& a, bool evaluated, F f) {
    auto& w  = a.w;
    auto lam = w.mut_lam(w.fn(w.sigma({w.nat(), w.nat()}), w.nat()));
    auto in = w.extract(lam->var(), 0), next = w.extract(lam->var(), 1);
    w.set(lam, w.lit_bool(evaluated), f(w.extract(in, 0), w.extract(in, 1), next));
    return w.seal(lam);
}

/// cn (ret: Cn Nat) = …, called.
template<class F>
std::optional<uint64_t> call(Affine& a, eval::Machine& m, F f) {
    auto lam = a.w.mut_lam(a.w.cn(a.w.cn(a.w.nat())));
    a.w.set(lam, a.w.ff(), f(lam->var()));
    try {
        return m.num(m.call_cps(m.eval(a.w.seal(lam)), nullptr));
    } catch (const eval::UndefinedBehaviour&) {
        return {};
    }
}

} // namespace

TEST_CASE_FIXTURE(Affine, "trips are counted as they are evaluated") {
    on_machine(*this, [&](eval::Machine& m) {
        for_ranges({1, 2, 3, 7, Max - 1, Max}, [&](uint64_t start, uint64_t stop, uint64_t step) {
            INFO(start << " " << stop << " " << step);
            auto normal = app(trips(0), {range(start, stop, step)});
            auto value  = test::evaluate(m, frozen(trips(0), {range(start, stop, step)}));
            REQUIRE(value);
            CHECK(test::evaluate(m, normal) == value);
            CHECK((step == 1 || isa_lit(normal)));
            uint64_t n = 0;
            for (unsigned __int128 i = start; i < stop; i += step) ++n;
            CHECK(*value == n);
        });
    });
}

TEST_CASE_FIXTURE(Affine, "a step of 0 stays, and is undefined") {
    on_machine(*this, [&](eval::Machine& m) {
        auto normal = app(trips(0), {range(5, 5, 0)});
        CHECK(match<trips>(normal));
        CHECK(!test::evaluate(m, normal));
        auto next = [&](const Def*, const Def* acc, const Def* next) { return w.app(next, acc); };
        auto same = body(*this, true, next);
        auto loop = [&](const Def* ret) { return app(For(0), {w.nat(), range(5, 5, 0), same, w.tuple({nat(1), ret})}); };
        CHECK(!call(*this, m, loop));
    });
}

TEST_CASE_FIXTURE(Affine, "loops are reduced to what they mean") {
    using Make = std::function<const Def*(const Def*, const Def*, const Def*)>;
    on_machine(*this, [&](eval::Machine& m) {
        for (bool evaluated : {false, true})
            for_ranges({1, 2, 5, Max}, [&](uint64_t start, uint64_t stop, uint64_t step) {
                INFO(start << " " << stop << " " << step);
                auto check = [&](auto turn) {
                    auto with = [&](bool is_frozen) {
                        return call(*this, m, [&](const Def* ret) {
                            Make f      = [&](auto i, auto acc, auto next) { return turn(i, acc, next, ret); };
                            auto groups = {w.nat(), range(start, stop, step), body(*this, evaluated, f), w.tuple({nat(7), ret})};
                            return is_frozen ? frozen(For(0), groups) : app(For(0), groups);
                        });
                    };
                    auto value = with(true);
                    REQUIRE(value);
                    CHECK(with(false) == value);
                };
                check([&](auto i, auto acc, auto next, auto) { return w.app(next, mix(i, acc)); });
                check([&](auto, auto acc, auto next, auto) { return w.app(next, acc); });
                check([&](auto i, auto, auto next, auto) { return w.app(next, i); });
                check([&](auto i, auto acc, auto, auto ret) { return w.app(ret, mix(i, acc)); });
            });
    });
}

TEST_CASE_FIXTURE(Affine, "folds are reduced to what they mean") {
    on_machine(*this, [&](eval::Machine& m) {
        for (bool evaluated : {false, true})
            for_ranges({1, 2, 5, Max}, [&](uint64_t start, uint64_t stop, uint64_t step) {
                INFO(start << " " << stop << " " << step);
                auto lam = w.mut_lam(w.pi(w.sigma({w.nat(), w.nat()}), w.nat()));
                w.set(lam, w.lit_bool(evaluated), mix(w.extract(lam->var(), 0), w.extract(lam->var(), 1)));
                std::vector<const Def*> groups = {w.nat(), range(start, stop, step), w.seal(lam), nat(7)};
                auto value                     = test::evaluate(m, frozen(fold(0), groups));
                REQUIRE(value);
                CHECK(test::evaluate(m, app(fold(0), groups)) == value);
            });
    });
}

TEST_CASE_FIXTURE(Affine, "a loop takes no stack of the evaluator, and neither do loops one after the other") {
    on_machine(*this, [&](eval::Machine& m) {
        auto count = [&](auto, auto acc, auto next) { return w.app(next, add(acc, nat(1))); };
        auto inner = body(*this, false, count);
        auto outer = body(*this, false, [&](auto, auto acc, auto next) {
            return app(For(0), {w.nat(), range(0, 3, 1), inner, w.tuple({acc, next})});
        });
        auto loop  = [&](auto ret) { return app(For(0), {w.nat(), range(0, 100'000, 1), outer, w.tuple({nat(0), ret})}); };
        CHECK(call(*this, m, loop) == 300'000);
    });
}
