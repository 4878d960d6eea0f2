// SPDX-License-Identifier: MIT
// The helper functions of the compiler's run-time library that generated code may call. An executable gets them from the linker; code in
// memory gets them from here, since they are static and no process exports them.
#pragma once
#include <llvm-c/LLJIT.h>

#include "backend/llvm/compile.h"

namespace mim::backend::llvm {

LLVMErrorRef define_runtime(LLVMOrcLLJITRef);

/// Makes the functions of these libraries symbols of this process. False after a report.
bool open_libraries(Diagnostics&, const Outside&);

} // namespace mim::backend::llvm
