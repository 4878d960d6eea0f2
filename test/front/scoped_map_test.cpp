// SPDX-License-Identifier: MIT
// Names in nested scopes.
#include "front/scoped_map.h"

#include <doctest/doctest.h>

#include <string>

TEST_CASE("scoped map: the innermost name counts until its scope ends") {
    mim::front::ScopedMap<std::string, int> names;
    CHECK(!names.find("x"));
    names.push("x", 1);
    names.push("y", 2);
    auto outer = names.size();
    names.push("x", 3);
    names.push("x", 4);
    names.push("z", 5);
    CHECK(*names.find("x") == 4);
    CHECK(*names.find("y") == 2);
    CHECK(names.get("y") == 2);
    CHECK(names.get("none", 7) == 7);
    names.shrink(outer + 1);
    CHECK(*names.find("x") == 3);
    CHECK(!names.find("z"));
    names.shrink(outer);
    CHECK(*names.find("x") == 1);
    names.shrink(0);
    CHECK(!names.find("x"));
    CHECK(names.size() == 0);
}
