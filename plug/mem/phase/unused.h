// SPDX-License-Identifier: MIT
// Loads whose value nobody uses go: what comes after them takes the token that they took.
#pragma once
#include "phase/phase.h"

namespace mim::plug::mem {

void drop_unused(PhaseContext&);

} // namespace mim::plug::mem
