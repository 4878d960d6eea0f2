// SPDX-License-Identifier: MIT
#pragma once
#include "phase/phase.h"

namespace mim::plug::tensor {

/// Numbers, and what is made of them: whoever has one has no effect, and calls nothing.
bool is_data(const Def* type);
/// Arrays that are written with a variable become operations.
void generate_packs(PhaseContext&);

} // namespace mim::plug::tensor
