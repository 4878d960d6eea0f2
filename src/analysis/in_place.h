// SPDX-License-Identifier: MIT
// Which updates of arrays of run-time length need no copy.
//
// `ins (a, i, x)` may overwrite an element of `a` if nobody refers to the memory of `a` but `a`, which nobody asks for
// afterwards. The values of a *line* share memory: an update and the array that it updates, a parameter of a block and its
// argument. As where SSA form is left (Boissinot et al., "Revisiting Out-of-SSA Translation for Correctness, Code Quality,
// and Efficiency"), a line is sound if no two of its values are needed at the same time; where two would be, it is cut. An
// update at a cut copies the array. An argument at a cut is copied if the line on either side is updated: once, in front of
// a loop.
//
// An array that an effect reads from memory is a view of that memory if nobody may write while the array is looked at: no other kind of effect and no
// call happens as long as it is needed.
#pragma once
#include "analysis/program.h"

namespace mim {

/// Of a scheduled function: fills `in_place`, `views`, `row_views`, `array_memory`, `sinks`, and `copied` of each block. Moves
/// updates behind the operations of their block that do not need them.
void find_updates_in_place(Program&, Function&);

/// Whether `row` is an update of the row of an array that `whole` replaces: `ins (a, i, ins (a#i, j, x))`.
bool updates_row(const Insert* row, const Insert* whole);

} // namespace mim
