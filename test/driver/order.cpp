// SPDX-License-Identifier: MIT
// The order of phases: what is stated, then what plugins build on, then registration and names; never the order of loading.
#include "driver/order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace mim;

namespace {

/// A phase `PLUGIN.…` that its own plugin joins.
Join join(std::string phase, std::vector<std::string> before = {}, std::vector<std::string> after = {}) {
    auto plugin = phase.substr(0, phase.find('.'));
    return {"front", std::move(phase), std::move(plugin), std::move(before), std::move(after)};
}

std::string text(const std::vector<std::string>& phases) {
    std::string text;
    for (auto& phase : phases) text += (text.empty() ? "" : " ") + phase;
    return text;
}

/// The order, in whatever order the plugins were loaded: those with one name stay together.
std::string order(std::vector<Join> joins, const BuildsOn& builds_on = {}) {
    auto first = text(order_phases(joins, builds_on).phases);
    std::mt19937 random(1);
    for (int i = 0; i < 20; ++i) {
        std::vector<std::string> plugins;
        for (auto& join : joins)
            if (std::ranges::find(plugins, join.plugin) == plugins.end()) plugins.push_back(join.plugin);
        std::ranges::shuffle(plugins, random);
        auto rank = [&](const Join& join) { return std::ranges::find(plugins, join.plugin) - plugins.begin(); };
        std::ranges::stable_sort(joins, {}, rank);
        CHECK(text(order_phases(joins, builds_on).phases) == first);
    }
    return first;
}

} // namespace

TEST_CASE("without statements, plugins go by their names, and their phases by registration") {
    CHECK(order({}).empty());
    CHECK(order({join("c.x"), join("a.z"), join("a.y"), join("b.x")}) == "a.z a.y b.x c.x");
}

TEST_CASE("phases run before those of the plugins that theirs builds on, also by others") {
    std::vector<Join> joins{join("a.x"), join("b.x"), join("c.x"), join("d.x")};
    CHECK(order(joins, {{"d", {"a"}}}) == "b.x c.x d.x a.x");
    CHECK(order(joins, {{"d", {"other"}}, {"other", {"more"}}, {"more", {"a"}}}) == "b.x c.x d.x a.x");
    CHECK(order(joins, {{"b", {"a"}}, {"c", {"b"}}, {"d", {"c"}}}) == "d.x c.x b.x a.x");
    CHECK(order(joins, {{"a", {"a"}}}) == "a.x b.x c.x d.x");
}

TEST_CASE("statements come first") {
    CHECK(order({join("a.x", {}, {"b.x"}), join("b.x")}) == "b.x a.x");
    CHECK(order({join("a.x"), join("b.x", {"a.x"})}) == "b.x a.x");
    CHECK(order({join("a.x"), join("b.x", {}, {"a.x"})}, {{"b", {"a"}}}) == "a.x b.x");
    CHECK(order({join("a.x"), join("a.y", {"a.x"})}) == "a.y a.x");
    // b builds on a, but two of its phases stand around one of a, and the third still comes before it
    CHECK(order({join("a.x"), join("b.first"), join("b.last", {}, {"a.x"}), join("b.other")}, {{"b", {"a"}}})
          == "b.first b.other a.x b.last");
    // the statements of a third plugin do not bring those of another one out of order
    CHECK(order({join("m.1"), join("m.2"), join("m.3"), join("z.x", {"m.2"})}) == "m.1 z.x m.2 m.3");
}

TEST_CASE("of what plugins build on, all is kept that statements leave") {
    // b builds on a and d on c; c.x before b.x and a.x before d.x leave one of both
    std::vector<Join> joins{join("a.x", {"d.x"}), join("b.x"), join("c.x", {"b.x"}), join("d.x")};
    CHECK(order(joins, {{"b", {"a"}}, {"d", {"c"}}}) == "c.x b.x a.x d.x");
}

TEST_CASE("names of phases that are not there state nothing") {
    CHECK(order({join("a.x", {}, {"z.x", "b.y"}), join("b.x", {"c.x"})}) == "a.x b.x");
}

TEST_CASE("a phase may be there twice") {
    auto early = join("a.x", {"b.x"}), late = join("a.x", {}, {"b.x"});
    CHECK(order({early, late, join("b.x")}) == "a.x b.x a.x");
}

TEST_CASE("a cycle is shown with those who state it") {
    auto found = order_phases({join("b.y", {"c.z"}), join("a.x", {"b.y"}), join("c.z", {"a.x"}), join("d.x")}, {});
    CHECK(found.phases.empty());
    REQUIRE(found.cycles.size() == 1);
    CHECK(found.cycles[0].text() == "`a.x` → `b.y` → `c.z` → `a.x`");
    REQUIRE(found.cycles[0].statements.size() == 3);
    CHECK(found.cycles[0].statements[0].plugin == "a");
    CHECK(found.cycles[0].statements[0].is_before);

    auto after = order_phases({join("a.x", {}, {"b.y"}), join("b.y", {}, {"a.x"})}, {});
    REQUIRE(after.cycles.size() == 1);
    CHECK(after.cycles[0].text() == "`a.x` → `b.y` → `a.x`");
    CHECK(after.cycles[0].statements[0].plugin == "b");
    CHECK(!after.cycles[0].statements[0].is_before);
}

TEST_CASE("each group of phases in cycles shows a shortest one") {
    auto found = order_phases({join("a.x", {"a.x"}), join("b.x", {"c.x"}), join("c.x", {"d.x", "b.x"}), join("d.x", {"b.x"})},
                              {});
    REQUIRE(found.cycles.size() == 2);
    CHECK(found.cycles[0].text() == "`a.x` → `a.x`");
    CHECK(found.cycles[1].text() == "`b.x` → `c.x` → `b.x`");
}

TEST_CASE("hundreds of phases take no time") {
    std::vector<Join> joins;
    for (int i = 0; i < 200; ++i)
        for (auto plugin : {"a.", "b."}) joins.push_back(join(plugin + std::to_string(i)));
    auto found = order_phases(joins, {{"b", {"a"}}});
    REQUIRE(found.phases.size() == 400);
    CHECK(found.phases.front() == "b.0");
    CHECK(found.phases.back() == "a.199");
    for (int i = 0; i < 200; ++i) joins[2 * i].before = {"a." + std::to_string((i + 1) % 200)};
    CHECK(order_phases(joins, {}).cycles.at(0).statements.size() == 200);
}
