// SPDX-License-Identifier: MIT
// Bounds of numbers that the types of their operands give, so that code needs no comparison that is always true.
#pragma once
#include <cstdint>

#include "ir/world.h"

namespace mim::plug::core {

/// No value of `def`, a `Nat` or an index, is greater than this. It looks at few nodes.
uint64_t greatest(const Def* def);
/// The same for an element of an operand, a pair.
uint64_t greatest(const Def* pair, size_t i);

} // namespace mim::plug::core
