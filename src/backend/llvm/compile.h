// SPDX-License-Identifier: MIT
// The World's externals as an optimized module of LLVM.
#pragma once
#include <llvm-c/Core.h>

#include "backend/llvm/target.h"

namespace mim::backend::llvm {

/// Emits, verifies and optimizes; null after reporting a problem. The module belongs to the caller.
LLVMModuleRef compile(World&, Diagnostics&, const EmitOptions&, const Target&, LLVMContextRef);

bool emit_files(World&, Diagnostics&, const EmitOptions&, const Sink&);
std::unique_ptr<Code> make_code(World&, Diagnostics&, const EmitOptions&);
int run_in_memory(World&, Diagnostics&, const EmitOptions&, const std::vector<std::string>& args);

/// The library of src/runtime for programs that are linked; empty if it is not there.
std::string runtime_library();
/// Whether the module needs the collector (src/runtime/collect), and where this library of ours lies; empty if it is missing.
bool makes_closures(LLVMModuleRef);
std::string our_library(const char* name);

} // namespace mim::backend::llvm
