// SPDX-License-Identifier: MIT
// The World's externals as an optimized module of LLVM.
#pragma once
#include <llvm-c/Core.h>

#include "backend/llvm/outside.h"
#include "backend/llvm/target.h"

namespace mim::backend::llvm {

/// Emits, verifies and optimizes; null after reporting a problem. The module belongs to the caller. `outside` is
/// filled.
LLVMModuleRef compile(World&, Diagnostics&, const EmitOptions&, const Target&, LLVMContextRef, Outside& outside);

bool emit_files(World&, Diagnostics&, const EmitOptions&, const Sink&);
std::unique_ptr<Code> make_code(World&, Diagnostics&, const EmitOptions&);
int run_in_memory(World&, Diagnostics&, const EmitOptions&, const std::vector<std::string>& args);

/// The library of src/runtime for programs that are linked; empty if it is not there.
std::string runtime_library();
/// Where the library of a plugin lies: `.a` or `.so`; empty after a report that it is missing.
std::string find_library(Diagnostics&, const RuntimeLibrary&, std::string_view suffix);

} // namespace mim::backend::llvm
