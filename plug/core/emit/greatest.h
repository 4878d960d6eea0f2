// SPDX-License-Identifier: MIT
// Bounds of numbers that the types of their operands give, so that code needs no comparison that is always true.
#pragma once
#include <cstdint>

#include "ir/world.h"

namespace mim::plug::core {

/// No value of this element of a pair of numbers is greater. It looks at few nodes.
uint64_t greatest(const Def* pair, size_t i);

} // namespace mim::plug::core
