// SPDX-License-Identifier: MIT
// Code in memory for debuggers (-g): gdb and lldb are told of each object by GDB's interface for just-in-time compilers.
#pragma once
#include <llvm-c/LLJIT.h>

namespace mim::backend::llvm {

LLVMErrorRef tell_debuggers(LLVMOrcLLJITRef);

} // namespace mim::backend::llvm
