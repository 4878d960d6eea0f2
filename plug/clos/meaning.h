// SPDX-License-Identifier: MIT
// What closures, and calls from outside that wait for their result, are to the evaluator.
#pragma once
#include "eval/value.h"
#include "ir/def.h"

namespace mim::plug::clos {

MeaningFn mean_make, mean_enter, mean_wait, mean_put, mean_as;

} // namespace mim::plug::clos
