// SPDX-License-Identifier: MIT
// The end of partial evaluation: `%core.pe.hlt e` and `%core.pe.run e` become e. A function that was halted is called as a copy
// whose filter is ff, so that it is not evaluated now.
#pragma once
#include "phase/phase.h"

namespace mim::plug::core {

void resume(PhaseContext&);

} // namespace mim::plug::core
