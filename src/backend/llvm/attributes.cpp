// SPDX-License-Identifier: MIT
#include "backend/llvm/attributes.h"

namespace mim::backend::llvm {

static LLVMContextRef context_of(LLVMValueRef v) { return LLVMGetTypeContext(LLVMTypeOf(v)); }

static LLVMAttributeRef make(LLVMContextRef ctx, std::string_view name, uint64_t value) {
    auto kind = LLVMGetEnumAttributeKindForName(name.data(), name.size());
    return LLVMCreateEnumAttribute(ctx, kind, value);
}

void add_attribute(LLVMValueRef fn, unsigned index, std::string_view name, uint64_t value) {
    LLVMAddAttributeAtIndex(fn, index, make(context_of(fn), name, value));
}

void add_call_attribute(LLVMValueRef call, unsigned index, std::string_view name, uint64_t value) {
    LLVMAddCallSiteAttribute(call, index, make(context_of(call), name, value));
}

void add_text_attribute(LLVMValueRef fn, std::string_view name, std::string_view value) {
    auto attribute = LLVMCreateStringAttribute(context_of(fn), name.data(), unsigned(name.size()), value.data(),
                                               unsigned(value.size()));
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex, attribute);
}

void mark_call_as(LLVMValueRef call, std::string_view name) {
    auto attribute = LLVMCreateStringAttribute(context_of(call), name.data(), unsigned(name.size()), "", 0);
    LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex, attribute);
}

} // namespace mim::backend::llvm
