// SPDX-License-Identifier: MIT
// Guarded calls, and notes of whose code runs. No signal is raised: land_crash is what a handler calls.
#include <doctest/doctest.h>

#include <csignal>
#include <new>
#include <stdexcept>

#include "base/crash.h"
#include "base/stack.h"

using namespace mim;

namespace {

struct Ours : Passing {};

/// The text for the exception that f throws.
template<class F>
std::string text_of(F f) {
    try {
        f();
    } catch (...) {
        return thrown_text();
    }
    return {};
}

} // namespace

TEST_CASE("a guarded call that ends is nothing special") {
    bool ran = false;
    CHECK(!guarded([&] { ran = true; }));
    CHECK(ran);
    CHECK(!guards_here());
}

TEST_CASE("a crash ends the innermost guarded call, and says whose code ran") {
    bool went_on = false;
    auto outer   = guarded([&] {
        auto inner = guarded([] {
            Blame blame("p", "the phase", "p.x");
            land_crash(SIGSEGV, false);
        });
        REQUIRE(inner);
        CHECK(inner->signal == SIGSEGV);
        CHECK(inner->culprit.text() == "the phase `p.x` of the plugin `p`");
        CHECK(!Blame::current());
        went_on = true;
    });
    CHECK(!outer);
    CHECK(went_on);
}

TEST_CASE("an overflow goes on to a guard that ends with it") {
    auto inner = [] { static_cast<void>(guarded([] { land_crash(SIGSEGV, true); })); };
    auto crash = guarded(inner, Guards::Overflows);
    REQUIRE(crash);
    CHECK(crash->is_overflow);
    CHECK(!crash->culprit);
}

TEST_CASE("a crash on another stack ends the guarded call that waits for it") {
    auto crash = guarded([] {
        run_on_big_stack([] {
            CHECK(guards_here() == Guards::Faults);
            Blame blame("", "the phase", "eta");
            land_crash(SIGABRT, false);
        });
    });
    REQUIRE(crash);
    CHECK(crash->signal == SIGABRT);
    CHECK(crash->culprit.text() == "the phase `eta` of Mim itself");
}

TEST_CASE("without a guard, landing does nothing") { land_crash(SIGSEGV, false); }

TEST_CASE("an exception leaves the name of whoever threw it") {
    auto throwing = [] {
        Blame outer("p", "the command", "c");
        Blame inner("q", "the normalizer of", "%q.x");
        throw std::runtime_error("because");
    };
    CHECK(text_of(throwing) == "because");
    CHECK(Blame::thrower().plugin == "q");
    CHECK(!Blame::thrower());
}

TEST_CASE("a scope that ends as it should forgets an exception that was handled before") {
    CHECK(text_of([] {
              Blame blame("p", "the command", "c");
              throw 1;
          })
          == "it threw what is no std::exception");
    { Blame later("q", "the command", "d"); }
    CHECK(!Blame::thrower());
}

TEST_CASE("what is Mim's own, and a lack of memory, goes on") {
    CHECK_THROWS_AS(text_of([] { throw Ours(); }), Ours);
    CHECK_THROWS_AS(text_of([] { throw std::bad_alloc(); }), std::bad_alloc);
}
