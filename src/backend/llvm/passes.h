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

/// Runs LLVM's default pipeline of level `opt`, 0 to 3; or, if it is to be `quick`, a few passes that are enough for small programs.
void run_passes(LLVMModuleRef, LLVMTargetMachineRef, unsigned opt, bool quick);

} // namespace mim::backend::llvm
