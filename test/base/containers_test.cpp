// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>

#include "base/ordered_set.h"
#include "base/small_vector.h"

using namespace mim;

namespace {
using Small = SmallVector<int, 3>;

Small numbers(int n) {
    Small res;
    for (int i = 0; i < n; ++i) res.push_back(i);
    return res;
}

struct Same {
    size_t operator()(int) const { return 7; } // all collide
};
struct Itself {
    size_t operator()(int i) const { return static_cast<size_t>(i); }
};

template<class Hash>
void check_set() {
    OrderedSet<int, Hash> set;
    for (int i = 0; i < 200; ++i) {
        CHECK(set.insert(i * 3));
        CHECK_FALSE(set.insert(i * 3));
        CHECK(set.size() == static_cast<size_t>(i + 1));
    }
    for (int i = 0; i < 200; ++i) {
        CHECK(set.index(i * 3) == static_cast<size_t>(i));
        CHECK_FALSE(set.contains(i * 3 + 1));
    }
    CHECK(std::is_sorted(set.begin(), set.end()));
    auto copy = set;
    set.clear();
    CHECK(set.empty());
    CHECK_FALSE(set.contains(0));
    CHECK(set.insert(0));
    CHECK(copy.index(597) == 199);
}
} // namespace

TEST_CASE("a small vector keeps its elements when it grows, is copied and is moved") {
    for (int n : {0, 1, 3, 4, 100}) {
        auto v    = numbers(n);
        auto same = [&](const Small& w) {
            CHECK(w.size() == static_cast<size_t>(n));
            for (int i = 0; i < n; ++i) CHECK(w[static_cast<size_t>(i)] == i);
        };
        same(v);
        Small copy = v, assigned = numbers(7);
        assigned = v;
        same(copy), same(assigned);
        Small moved = std::move(copy);
        same(moved);
        CHECK(copy.empty()); // NOLINT: what is left is empty
        copy.push_back(5);
        CHECK(copy.back() == 5);
        assigned = numbers(50);
        assigned = std::move(moved);
        same(assigned), same(v);
    }
}

TEST_CASE("an ordered set finds what it has, in the order it came, also if all collide") {
    check_set<Itself>();
    check_set<Same>();
}
