// SPDX-License-Identifier: MIT
// Large aggregates belong into memory: LLVM takes SSA values apart into scalars, in its optimizer and when it selects instructions, so that
// one update of an array of thousands costs seconds. The emitter makes values of any size; when a function is finished, those that are too
// large for this get a place on the stack each, and what used them uses the memory.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include <unordered_map>
#include <unordered_set>

namespace mim::backend::llvm {

/// Memory that the emitter used to get from one form of a value to another.
struct Places {
    /// By load of a whole value: memory of its own that is not written again before the load is evaluated again.
    std::unordered_map<LLVMValueRef, LLVMValueRef> homes;
    /// Allocas to which a whole value is stored and from which parts of it are read at once.
    std::unordered_set<LLVMValueRef> views;
};

/// Brings the values in `function` with more scalars than this into memory.
constexpr unsigned max_scalars = 256;
void bring_to_memory(LLVMValueRef function, LLVMTargetDataRef data, const Places& places);

/// The scalars in a type, or a number from `limit` on if there are more.
unsigned num_scalars(LLVMTargetDataRef data, LLVMTypeRef type, unsigned limit);

} // namespace mim::backend::llvm
