// SPDX-License-Identifier: MIT
// The helper functions of the compiler's run-time library that generated code may call. An executable gets them from the linker; code in
// memory gets them from here, since they are static and no process exports them.
#pragma once
#include <llvm-c/LLJIT.h>

#include <string>

namespace mim::backend::llvm {

LLVMErrorRef define_runtime(LLVMOrcLLJITRef);

/// Makes the functions of src/runtime/collect symbols of this process; why not, if they are missing.
std::string open_collector();

} // namespace mim::backend::llvm
