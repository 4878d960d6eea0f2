// SPDX-License-Identifier: MIT
// What LLVM does to a module before it becomes machine code.
#pragma once
#include <llvm-c/TargetMachine.h>

#include <functional>
#include <set>
#include <string>

namespace mim::backend::llvm {

/// What the processor has, by LLVM's names.
std::set<std::string, std::less<>> features(LLVMTargetMachineRef);

/// Whether LLVM takes a function for one of C's library: it makes calls of such functions, and evaluates them, by itself.
bool is_library_function(LLVMValueRef function);

/// Runs LLVM's default pipeline of level `opt`, 0 to 3; or, if it is to be `quick`, a few passes that are enough for small programs.
void run_passes(LLVMModuleRef, LLVMTargetMachineRef, unsigned opt, bool quick);

} // namespace mim::backend::llvm
