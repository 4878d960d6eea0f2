// SPDX-License-Identifier: MIT
// Which parts of its argument a function in direct style takes by value although it may not need them: those that
// types in it mention, and those that the elements of a pack mention if these call nothing. Compiled code cannot
// suspend them.
#pragma once
#include <unordered_map>
#include <vector>

#include "ir/world.h"

namespace mim::eval {

/// The place of a part: the index of an element, of an element in that, and so on.
using PartPath = std::vector<uint64_t>;

class FixedParts {
public:
    explicit FixedParts(World& world)
        : world_(world) {}

    /// Looks at the function once.
    const std::vector<PartPath>& of(const Lam*);

private:
    World& world_;
    std::unordered_map<const Lam*, std::vector<PartPath>> parts_;
};

} // namespace mim::eval
