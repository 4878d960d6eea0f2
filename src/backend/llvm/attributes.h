// SPDX-License-Identifier: MIT
// Attributes of functions and calls, by LLVM's names. `index` is LLVMAttributeFunctionIndex,
// LLVMAttributeReturnIndex, or the number of a parameter from 1 on.
#pragma once
#include <llvm-c/Core.h>

#include <string_view>

namespace mim::backend::llvm {

void add_attribute(LLVMValueRef fn, unsigned index, std::string_view name, uint64_t value = 0);
void add_call_attribute(LLVMValueRef call, unsigned index, std::string_view name, uint64_t value = 0);
/// One that LLVM knows by its text: "frame-pointer", …
void add_text_attribute(LLVMValueRef fn, std::string_view name, std::string_view value);

/// One of our own, on a call.
void mark_call_as(LLVMValueRef call, std::string_view name);

/// A function that only asks about the pointers which it gets, or about what lies there: it keeps none.
inline constexpr std::string_view kForgets = "mim-forgets";

/// Of the call as a whole.
inline void mark_call(LLVMValueRef call, std::string_view name, uint64_t value = 0) {
    add_call_attribute(call, LLVMAttributeFunctionIndex, name, value);
}

} // namespace mim::backend::llvm
