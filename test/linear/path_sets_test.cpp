// SPDX-License-Identifier: MIT
// Sets of paths against sets that list every path, on random unions, intersections and differences.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "ir/world.h"
#include "linear/path_sets.h"

using namespace mim;
using linear::PathSets;

namespace {

constexpr uint32_t Arms[] = {2, 3, 5, 2};

/// All 60 paths, by number.
struct Listed {
    std::set<int> paths;
    static int arm_of(int path, size_t cond) {
        for (size_t i = 0; i < cond; ++i) path /= static_cast<int>(Arms[i]);
        return path % static_cast<int>(Arms[cond]);
    }
    static Listed arm(size_t cond, uint32_t arm) {
        Listed res;
        for (int p = 0; p < 60; ++p)
            if (arm_of(p, cond) == static_cast<int>(arm)) res.paths.insert(p);
        return res;
    }
};

} // namespace

TEST_CASE("sets of paths agree with lists of paths, and equal sets are one number") {
    World w;
    PathSets sets;
    std::mt19937 random(7);
    std::vector<std::pair<PathSets::Set, Listed>> pool;
    for (size_t c = 0; c < 4; ++c)
        for (uint32_t a = 0; a < Arms[c]; ++a) pool.emplace_back(sets.arm(w.lit_nat(c), a, Arms[c]), Listed::arm(c, a));
    for (int i = 0; i < 3000; ++i) {
        auto [x, lx] = pool[random() % pool.size()];
        auto [y, ly] = pool[random() % pool.size()];
        Listed res;
        PathSets::Set set = PathSets::None;
        auto op           = random() % 3;
        for (int p = 0; p < 60; ++p) {
            bool in_x = lx.paths.contains(p), in_y = ly.paths.contains(p);
            if (op == 0 ? in_x && in_y : op == 1 ? in_x || in_y : in_x && !in_y) res.paths.insert(p);
        }
        if (op == 0) set = sets.intersect(x, y);
        if (op == 1) set = sets.unite(x, y);
        if (op == 2) set = sets.subtract(x, y);
        CHECK((set == PathSets::None) == res.paths.empty());
        CHECK((set == PathSets::All) == (res.paths.size() == 60));
        for (auto& [other, listed] : pool) CHECK((other == set) == (listed.paths == res.paths));
        CHECK(sets.is_subset(set, x) == std::includes(lx.paths.begin(), lx.paths.end(), res.paths.begin(), res.paths.end()));
        if (pool.size() < 150) pool.emplace_back(set, res);
    }
}

TEST_CASE("sums of sets of paths tell once from twice") {
    World w;
    PathSets sets;
    auto arm = [&](uint32_t i) { return sets.arm(w.nat(), i, 3); };
    auto all = sets.sum(std::vector{arm(0), arm(1), arm(2)});
    CHECK(all.once == PathSets::All);
    CHECK(all.twice == PathSets::None);
    auto more = sets.sum(std::vector{arm(0), arm(1), arm(0)});
    CHECK(more.once == sets.unite(arm(0), arm(1)));
    CHECK(more.twice == arm(0));
    CHECK(sets.sum({}).once == PathSets::None);
}

TEST_CASE("a chain of branches takes one node a branch") {
    World w;
    PathSets sets;
    auto here = PathSets::All;
    std::vector<PathSets::Set> left;
    for (uint64_t i = 0; i < 5000; ++i) {
        left.push_back(sets.intersect(here, sets.arm(w.lit_nat(i), 0, 2)));
        here = sets.intersect(here, sets.arm(w.lit_nat(i), 1, 2));
    }
    left.push_back(here);
    auto all = sets.sum(left);
    CHECK(all.once == PathSets::All);
    CHECK(all.twice == PathSets::None);
}
