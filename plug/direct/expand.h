// SPDX-License-Identifier: MIT
// Axioms that miss groups, or have none, and are used as values: returned, chosen, stored or passed.
#pragma once
#include "phase/phase.h"

namespace mim::plug::direct {

/// Makes functions of them, since the conversion changes the types of functions and those of axioms are fixed.
void expand_partial(PhaseContext&);

} // namespace mim::plug::direct
