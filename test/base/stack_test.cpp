// SPDX-License-Identifier: MIT
// The big stack: deep recursion, its checked end, exceptions.
#include <doctest/doctest.h>

#include <stdexcept>

#include "base/stack.h"

using namespace mim;

namespace {

__attribute__((noinline)) size_t dive(size_t depth, size_t max) {
    volatile char frame[512];
    frame[depth % 512] = 1;
    if (depth == max || stack_is_low()) return depth;
    return dive(depth + 1, max) + static_cast<size_t>(frame[depth % 512]) - 1;
}

} // namespace

TEST_CASE("a million frames fit, and the end of the stack is noticed before it is reached") {
    size_t reached = 0;
    run_on_big_stack([&] { reached = dive(0, 1'000'000); });
    CHECK(reached == 1'000'000);
    run_on_big_stack([&] { reached = dive(0, 1'000'000); }, size_t(16) << 20);
    CHECK(reached > 1000);
    CHECK(reached < 100'000);
    CHECK_FALSE(stack_is_low());
}

TEST_CASE("an exception comes through from the big stack") {
    CHECK_THROWS_AS(run_on_big_stack([] { throw std::runtime_error("deep"); }), std::runtime_error);
}
