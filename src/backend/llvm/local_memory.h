// SPDX-License-Identifier: MIT
#pragma once

namespace llvm {
class PassBuilder;
}

namespace mim::backend::llvm {

/// On a call that gets new memory from the collector.
constexpr const char* collected_memory = "mim-collected";

/// Adds a pass that puts small collected memory on the stack if its address stays in the function.
void use_local_memory(::llvm::PassBuilder&);

} // namespace mim::backend::llvm
