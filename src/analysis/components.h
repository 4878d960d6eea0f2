// SPDX-License-Identifier: MIT
// Strongly connected components of a directed graph (Tarjan, "Depth-First Search and Linear Graph Algorithms").
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

namespace mim {

/// The component of each of `size` vertices, where what an edge leads to has the same or a smaller one: operands come first. succs(v): where
/// the edges from v lead.
std::vector<uint32_t> components(size_t size, const std::function<const std::vector<uint32_t>&(uint32_t)>& succs);

} // namespace mim
