// SPDX-License-Identifier: MIT
// Which calls before a return are tail calls. A call that may receive a pointer into the caller's slots must keep the
// caller's frame, so pointers that derive from slots are followed through the finished function: through arithmetic,
// selections, aggregates, phis, calls that got one, and memory as a whole once one is stored. Calls of the function
// to itself become jumps.
#pragma once
#include "backend/llvm/body.h"
#include "backend/llvm/code_builder.h"

namespace mim::backend::llvm {

/// All blocks are filled. `watched`: slots that are no allocas. Afterwards the builder is anywhere in the function.
void finish_tail_calls(CodeBuilder&, Body&, const std::vector<LLVMValueRef>& watched, bool has_memory);

} // namespace mim::backend::llvm
