// SPDX-License-Identifier: MIT
// Tables. What takes long and depends on the indices of inner loops alone is computed again in each turn of the loops
// around these: `exp q#i` for each of many points. A table has it for each index, made once, and the loops read it.
#pragma once
#include "phase/phase.h"

namespace mim::plug::tensor {

/// Puts the elements of tables where such expressions are. Only what cannot fail is computed ahead.
void make_tables(PhaseContext&);

} // namespace mim::plug::tensor
