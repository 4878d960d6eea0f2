// SPDX-License-Identifier: MIT
// The code of closures. A closure is the address of a record that begins with the address of the code, which gets the
// record as last parameter, behind those of the function.
#pragma once
#include <functional>

#include "backend/llvm/signatures.h"

namespace mim::backend::llvm {

/// The type of the code of a closure that is called by `sig`.
LLVMTypeRef with_closure(const Signature& sig);

/// Adds to `args`, which are the parameters of the closure, those that the function gets besides.
using PassCaptures = std::function<void(LLVMBuilderRef, LLVMValueRef closure, std::vector<LLVMValueRef>& args)>;

/// New code that calls the function `callee` of the given type. Without `pass` it gets the parameters only.
LLVMValueRef closure_code(LLVMModuleRef, const Signature&, LLVMTypeRef type, LLVMValueRef callee, const PassCaptures& pass);

/// The code of the closure, which becomes the last one of the arguments.
LLVMValueRef code_of(LLVMBuilderRef, LLVMValueRef closure, std::vector<LLVMValueRef>& args);

} // namespace mim::backend::llvm
