// SPDX-License-Identifier: MIT
// Values that pass to a type of another layout are converted; the memory that they point to is not. So a pointer
// passes only where both types lay out that memory in the same way. They may differ where one of them is open: an
// `Idx 200` has 8 bits, an `Idx n` has 64. The same holds for functions and what is passed to them (value_types.h).
#pragma once
#include "backend/llvm/context.h"
#include "backend/llvm/types.h"

namespace mim::backend::llvm {

/// Reports and throws Failed where memory would be read in another layout than it was written, or a function called in another way.
void check_pointees(Context&, TypeLowering&, const Def* from, const Def* to);

} // namespace mim::backend::llvm
