// SPDX-License-Identifier: MIT
// Typed closure conversion, see convert.cpp.
#pragma once
#include "phase/phase.h"

namespace mim::plug::clos {

void convert_closures(PhaseContext&);

} // namespace mim::plug::clos
