// SPDX-License-Identifier: MIT
// Memory that only this program sees becomes values: a `%mem.slot` or `%mem.alloc` whose pointer is only loaded from and stored to.
#pragma once
#include "phase/phase.h"

namespace mim::plug::mem {

void promote(PhaseContext&);

} // namespace mim::plug::mem
