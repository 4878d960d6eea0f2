// SPDX-License-Identifier: MIT
// Closures that a program makes by hand, see open.cpp.
#pragma once
#include "phase/phase.h"

namespace mim::plug::clos {

/// No `%clos.make` of a known number of functions is left.
void open_closures(PhaseContext&);

} // namespace mim::plug::clos
