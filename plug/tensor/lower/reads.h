// SPDX-License-Identifier: MIT
// The steps that loops take through memory: an operation's term is made for some index, and the elements that it reads
// are looked at.
#pragma once
#include <vector>

#include "ir/world.h"

namespace mim::plug::tensor {

/// By how many elements a read moves where an index grows by one.
enum class Step : uint8_t { None, One, Other };

/// For each dimension of the iteration space.
using Steps = std::vector<Step>;

/// Those of the elements that a term reads. `index` are the variables that it is made for.
std::vector<Steps> reads_of(World&, const Def* term, Defs index);

/// The term has a part that takes longer than a load, and that changes with `row` but not with `last`.
bool has_long_part(World&, const Def* term, const Def* row, const Def* last);

} // namespace mim::plug::tensor
