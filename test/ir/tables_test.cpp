// SPDX-License-Identifier: MIT
// The tables behind a World, held against the standard library's: ids in any order, with gaps, and many entries under one id.
#include <doctest/doctest.h>

#include <map>
#include <random>

#include "ir/id_table.h"
#include "ir/local_table.h"
#include "ir/world.h"

using namespace mim;

TEST_CASE("a side table keeps what was put, in whatever order") {
    World w;
    std::vector<const Def*> nodes;
    for (uint64_t i = 0; i < 10'000; ++i) nodes.push_back(w.lit_nat(1000 + i));
    std::mt19937 random(23);
    IdTable<std::vector<int>> table;
    std::map<const Def*, std::vector<int>> expected;
    for (int i = 0; i < 5'000; ++i) {
        auto def = nodes[random() % nodes.size()];
        if (i % 3 == 0) table.put(def, expected[def] = {i});
        else table.at(def).push_back(i), expected[def].push_back(i);
    }
    for (auto def : nodes) {
        auto found = table.find(def);
        auto known = expected.find(def);
        REQUIRE((found != nullptr) == (known != expected.end()));
        if (found) CHECK(*found == known->second);
    }
}

namespace {

struct Number {
    uint32_t value = 0;
    explicit operator bool() const { return value; }
    uint32_t hash() const { return value * 0x9e3779b9u; }
};

} // namespace

TEST_CASE("a local table finds what is in it, and nothing else") {
    std::mt19937 random(42);
    LocalTable<Number> table;
    std::map<std::pair<uint32_t, uint32_t>, bool> expected; // id and number
    auto find = [&](uint32_t id, uint32_t value) {
        auto slot = table.find(id, Number{value}.hash(), [&](Number n) { return n.value == value; });
        return slot && slot->value == value;
    };
    for (int i = 0; i < 20'000; ++i) {
        uint32_t id       = i % 2 ? 7 : random() % 5'000 * 64; // half of all under one
        uint32_t value    = random() % 100'000 + 1;
        auto [it, is_new] = expected.try_emplace({id, value}, true);
        REQUIRE(find(id, value) == !is_new);
        if (is_new) table.insert(id, {value});
    }
    CHECK(table.size() == expected.size());
    for (auto& [key, _] : expected) CHECK(find(key.first, key.second));
    CHECK(!find(7, 100'001));
    CHECK(!find(1'000'000, 1));
    table.clear();
    CHECK(!find(7, expected.begin()->first.second));
}
