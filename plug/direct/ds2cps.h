// SPDX-License-Identifier: MIT
// Direct style → continuation-passing style, by need.
//
// Afterwards every function is a continuation: a call of a direct-style function `f a` became `f' (a, λ v. …)`, and a selection
// `(e0, e1)#c` or a `match` whose elements contain calls or operations that may not be speculated became a branch to continuations.
//
// An expression is evaluated in the innermost *context* (the body of a function, an arm of a selection, an argument by need) that
// dominates all its uses in the graph of uses: at once if that context needs it on every path, else on demand, through a local
// continuation that each path calls that needs it, or a lazy value if one path may need it in several places. So nothing is evaluated
// that is not needed, nothing twice on one path, and shared expressions do not multiply the size of the program.
#pragma once
#include "phase/phase.h"

namespace mim::plug::direct {

void to_cps(PhaseContext&);

} // namespace mim::plug::direct
