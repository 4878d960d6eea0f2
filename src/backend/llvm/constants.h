// SPDX-License-Identifier: MIT
// Constants in memory.
#pragma once
#include <llvm-c/Core.h>

namespace mim::backend::llvm {

/// A new global with this value, which nobody changes, whose address means nothing, and which is seen in this module
/// alone.
LLVMValueRef constant_global(LLVMModuleRef module, LLVMValueRef value, const char* name);

/// The same value in another form: an array of registers of bytes as an array of bytes, which LLVM writes at once
/// instead of one number after the other. Null if it is something else.
LLVMValueRef as_bytes(LLVMValueRef constant);

} // namespace mim::backend::llvm
