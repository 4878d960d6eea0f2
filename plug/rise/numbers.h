// SPDX-License-Identifier: MIT
// The types of numbers, and literals of them, in the graph.
#pragma once
#include <string_view>

#include "ir/world.h"
#include "tree.h"

namespace mim::plug::rise {

const Def* scalar_type(World&, Scalar);
/// The number, as it is written, of this type; null if that is none of numbers.
const Def* literal(World&, std::string_view written, const Def* type);

} // namespace mim::plug::rise
