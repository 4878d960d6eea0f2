// SPDX-License-Identifier: MIT
// Recursive types: mutables without a variable, or Σs, that something they contain points to. See recursive.cpp.
#pragma once
#include <span>

#include "ir/def.h"

namespace mim {

/// Of this sort and without a variable: both of its parts may contain it.
Pi* mut_recursive_pi(World&, const Def* type, bool implicit);
/// Like this call of an axiom that makes pointers, whose argument may contain it. It has no variable.
App* mut_recursive_pointer(World&, const App* like);
/// For a Σ, a Π or a pointer that something it contains points to: it stays as it is. The domain of a Π with a variable
/// does not contain it.
const Def* seal_recursive(World&, Sigma*);
const Def* seal_recursive(World&, Pi*, const Def* dom, const Def* codom);
const Def* seal_recursive(World&, App*, const Def* callee, const Def* arg);
/// Ties a recursive type: `body` was built with `hole` standing for the result.
const Def* tie_recursive(World&, const Def* hole, const Def* body);
/// The same for types that mention each other; each body becomes what its placeholder stands for.
void tie_recursive(World&, Defs holes, std::span<const Def*> bodies);

} // namespace mim
