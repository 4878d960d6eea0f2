// SPDX-License-Identifier: MIT
// What closures, and calls from outside that wait for their result, are to the evaluator.
#pragma once
#include "eval/value.h"
#include "ir/def.h"

namespace mim::plug::clos {

eval::Value mean_make(eval::Machine&, const Def* app);
eval::Value mean_enter(eval::Machine&, const Def* app);
eval::Value mean_put(eval::Machine&, const Def* app);
eval::Value mean_as(eval::Machine&, const Def* app);

} // namespace mim::plug::clos
