// SPDX-License-Identifier: MIT
// Small functions that call themselves: the calls of some levels are written out, as in loops that are unrolled.
#pragma once
#include <llvm/Passes/PassBuilder.h>

namespace mim::backend::llvm {

/// Joins the pass to a pipeline, behind the simplification of functions and before the vectorizer.
void expand_recursion(::llvm::PassBuilder&);

} // namespace mim::backend::llvm
