// SPDX-License-Identifier: MIT
// Components, dominators and worklists.
#include <doctest/doctest.h>

#include <random>

#include "base/components.h"
#include "base/domtree.h"
#include "base/worklist.h"

using namespace mim;

namespace {

using Edges = std::vector<std::vector<uint32_t>>;

std::vector<uint32_t> components_of(const Edges& edges) {
    return components(edges.size(), [&](uint32_t v) -> auto& { return edges[v]; });
}

/// reaches[a][b], by trying all ways.
std::vector<std::vector<bool>> reachability(const Edges& edges) {
    std::vector<std::vector<bool>> reaches(edges.size(), std::vector<bool>(edges.size()));
    for (uint32_t from = 0; from != edges.size(); ++from) {
        Worklist<uint32_t> todo{from};
        while (auto v = todo.next()) {
            reaches[from][*v] = true;
            todo.push_all(edges[*v]);
        }
    }
    return reaches;
}

} // namespace

TEST_CASE("a component is what reaches each other, and operands come first") {
    std::mt19937 random(7);
    for (int round = 0; round != 200; ++round) {
        auto n = 1 + random() % 12;
        Edges edges(n);
        for (auto& succs : edges)
            for (auto k = random() % 3; k != 0; --k) succs.push_back(uint32_t(random() % n));
        auto component = components_of(edges);
        auto reaches   = reachability(edges);
        for (uint32_t a = 0; a != n; ++a)
            for (uint32_t b = 0; b != n; ++b) {
                CHECK((component[a] == component[b]) == (reaches[a][b] && reaches[b][a]));
                if (reaches[a][b]) CHECK(component[b] <= component[a]);
            }
    }
}

TEST_CASE("members lists every vertex once, by component and in order") {
    CHECK(members({}).empty());
    CHECK(members({1, 0, 1, 2, 0}) == Edges{{1, 4}, {0, 2}, {3}});
}

TEST_CASE("a chain as deep as it likes is no recursion") {
    constexpr uint32_t n = 1'000'000;
    Edges edges(n);
    for (uint32_t v = 0; v + 1 != n; ++v) edges[v].push_back(v + 1);
    auto component = components_of(edges);
    CHECK(component.front() == n - 1);
    CHECK(component.back() == 0);
}

TEST_CASE("dominators of a diamond with a loop") {
    DomTree doms({{}, {0, 4}, {1}, {1}, {2, 3}});
    CHECK(doms.idom(4) == 1);
    CHECK(doms.dominates(1, 4));
    CHECK(!doms.dominates(2, 4));
    CHECK(doms.lca(2, 3) == 1);
}

TEST_CASE("a worklist hands out each thing once, the last one first") {
    Worklist<uint32_t> todo{1, 2};
    todo.push(2);
    CHECK(todo.next() == 2u);
    todo.push(2);
    todo.push(3);
    CHECK(todo.next() == 3u);
    CHECK(todo.next() == 1u);
    CHECK(!todo.next());
    CHECK(todo.seen().size() == 3);
    int a = 0;
    Worklist<int*> pointers{nullptr, &a, nullptr};
    CHECK(pointers.next() == &a);
    CHECK(pointers.next() == nullptr);
}
