// SPDX-License-Identifier: MIT
// Loops that are written out turn by turn. Arrays of few elements live in registers, which have no addresses: a turn that
// reads or changes an element whose place depends on its index would have to write all of them to memory and read them
// again. With a turn for each index, all places are known.
#pragma once
#include "ir/world.h"

namespace mim::plug::tensor {

/// The number of innermost loops around `turn` that are to be written out. `extents` and `indices` are those of the loops,
/// from the outermost to the innermost; an index of a loop that is none is a literal.
size_t num_unrolled(World&, Defs extents, Defs indices, const Def* turn);

} // namespace mim::plug::tensor
