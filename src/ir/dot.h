// SPDX-License-Identifier: MIT
// The graph for Graphviz: nodes with their operands, functions as boxes around nothing but themselves. For looking at small programs.
#pragma once
#include <string>

namespace mim {

class World;

/// Everything that is reachable from the functions visible outside; types only where they are operands.
std::string dot(World&);

} // namespace mim
