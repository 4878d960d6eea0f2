// SPDX-License-Identifier: MIT
// Curried functions that get a token before their last group. What such a function returns is a token, so it is called once; the
// continuation that it would become is a value that captures a token, and nothing shows that.
#pragma once
#include "phase/phase.h"

namespace mim::plug::direct {

/// Calls of known functions with all their groups, a token among the first ones, become calls with one group:
///
///     f mem x        ▷  f' (mem, x)        where  lam f' (m: %mem.M, x: T) @ff = (f's body for m) x
void uncurry_tokens(PhaseContext&);

} // namespace mim::plug::direct
