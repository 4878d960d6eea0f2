// SPDX-License-Identifier: MIT
// Code that is wanted soon, for small programs, many of them in one process: what is the same for all is made once, and kept.
#pragma once
#include "backend/backend.h"

namespace mim::backend::llvm {

/// For the processor that runs this, in a session of LLVM's JIT that all such code shares. Null after reporting a problem.
std::unique_ptr<Code> make_code_quickly(World&, Diagnostics&, const EmitOptions&);

} // namespace mim::backend::llvm
