// SPDX-License-Identifier: MIT
// A slot for a tuple or an array whose elements are told apart becomes slots for the elements.
#pragma once
#include "phase/phase.h"

namespace mim::plug::mem {

void split(PhaseContext&);

} // namespace mim::plug::mem
