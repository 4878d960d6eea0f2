// SPDX-License-Identifier: MIT
// With -g: the function whose body is being made, by the front end or by a rewrite. When a call in it is reduced, the names that the
// callee gives to its values become names in this function (doc/adr/0008-inlined-calls.md).
#pragma once
#include "ir/world.h"

namespace mim {

/// While it lives, the body of this function is made.
class Building {
public:
    Building(World& world, const Lam* lam)
        : world_(world)
        , around_(set(world, lam)) {}
    ~Building() { set(world_, around_); }
    Building(const Building&)            = delete;
    Building& operator=(const Building&) = delete;

    /// From now on it is this one (null: none); the one before.
    static const Lam* set(World&, const Lam*);

private:
    World& world_;
    const Lam* around_;
};

} // namespace mim
