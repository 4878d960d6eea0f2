// SPDX-License-Identifier: MIT
// Where new arrays of run-time length lie.
//
// The collector's memory is right for each of them. Two kinds of lines (see in_place.h) need none, if nobody else
// refers to their arrays:
//
// - The memory of the activation: one piece for each line, which is given back when the function returns. No two arrays
//   of a line are needed at once, so each new one may lie where the last one did. A line gets new memory in one place of
//   the function, else it is left to the collector: two arrays that change places could be copied over each other.
// - The destination: if all that happens to an array in the end is that it is copied, to where an effect stores it or into an array that is
//   updated in place, then it is made there. From the moment when it begins, control must reach the copy, and nobody may look at that place
//   meanwhile: no effect and no call happens, and arrays that are read then, and may be anybody's, lie elsewhere. Where those are is asked at
//   run time; if they overlap, the array is made as others are, and copied. A copy of the array that lies there is that
//   array, changed in place, if nobody looks at it any more.
//
// As in "destination-passing style" (Shaikhha et al., FHPC 2017), but decided within one function, from the schedule.
#pragma once
#include "analysis/array_lives.h"

namespace mim {

/// Fills `array_memory` and `sinks` of the function, in which updates in place and views are known.
void plan_array_memory(Program&, Function&, ArrayLives&);

} // namespace mim
