// SPDX-License-Identifier: MIT
// How direct-style functions take their arguments: decides what is evaluated by the caller, what by need, and what never.
#pragma once
#include "facts.h"

namespace mim::plug::direct {

/// Sets the properties of all leaves. `lams`: all functions that compute values; `calls`: all calls in direct style.
///
/// A leaf is *needed* if it is evaluated on every path through its function: the greatest solution, for a function that calls itself
/// on a path may pass its argument on. It is *used* if some path evaluates it: the least solution. A leaf that is not needed is passed
/// by need if some call passes what may not end or may trap; what is passed by need is itself such an expression.
void decide_passing(Facts& facts, const std::vector<const Lam*>& lams, const std::vector<const Def*>& calls);

} // namespace mim::plug::direct
