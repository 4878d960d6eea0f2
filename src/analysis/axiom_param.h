// SPDX-License-Identifier: MIT
// The parameter types that an axiom declares itself, whatever its type variables stand for.
#pragma once
#include "analysis/cps.h"

namespace mim {

/// The type of element i of the argument that `callee`, an axiom and maybe some of its groups, takes next, as the axiom
/// declares it; i < 0: the type of the whole argument, if that is no tuple. Null if `callee` is no axiom, or the axiom does
/// not declare the element.
const Def* declared_param(World&, const Def* callee, int i = -1);

} // namespace mim
