// SPDX-License-Identifier: MIT
// All that must hold of a program after a phase: the invariants of the graph (ir/verify.h), and tokens that are consumed exactly once on
// each path (linear/tokens.h).
#pragma once
#include <vector>

#include "ir/verify.h"

namespace mim {

/// The violations of the graph or, if there are none, those of tokens. Both are the fault of the phase.
std::vector<Violation> verify(World&);
/// The same, with the verifier of an earlier state of the program.
std::vector<Violation> verify(World&, GraphVerifier&);

} // namespace mim
