// SPDX-License-Identifier: MIT
// Returns as values, for the programs that need them; see returns.cpp.
#pragma once
#include "phase/phase.h"

namespace mim::plug::clos {

/// A function leaves through the return of another, past calls that wait, or a return is kept.
bool needs_returns_as_values(PhaseContext&);
/// Makes returns of functions values wherever machine code may not be able to return. False, and nothing happened, if C or an axiom
/// would have to be left as well.
bool returns_to_values(PhaseContext&);

} // namespace mim::plug::clos
