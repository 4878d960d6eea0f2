// SPDX-License-Identifier: MIT
// Implicit arguments that the types of the explicit ones alone tell: the domains of a Π-telescope, not instantiated,
// are matched (first order) against the types of the arguments. Only when that says nothing are placeholders made.
#pragma once
#include <span>

#include "ir/world.h"
#include "sema/result.h"

namespace mim {

/// The implicit argument of a function of type `pi` that is applied to these arguments; null if they do not tell it.
const Def* match_implicit(World&, const Pi* pi, std::span<const Arg> args);
/// The same for a function of a pair, of which only the first element is known.
const Def* match_first(World&, const Pi* pi, const Def* first);

} // namespace mim
