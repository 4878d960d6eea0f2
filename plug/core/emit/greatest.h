// SPDX-License-Identifier: MIT
// Bounds of numbers that the types of their operands give, so that code needs no comparison that is always true.
#pragma once
#include <cstdint>

#include "ir/world.h"

namespace mim::plug::core {

/// No value of this number, or of this element of a pair of numbers, is greater. They look at few nodes.
uint64_t greatest(const Def* number);
uint64_t greatest(const Def* pair, size_t i);
/// The exact result of this `%core.wrap` is always a value of its type.
bool never_wraps(const Def* app);

} // namespace mim::plug::core
