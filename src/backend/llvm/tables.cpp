// SPDX-License-Identifier: MIT
// Constants that are looked up at a place that is not known. LLVM writes an array of registers one number after the other, but bytes at once.
#include <llvm/IR/Constants.h>

#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

/// The bytes of an array of registers of bytes; null if it is something else.
static LLVMValueRef as_bytes(LLVMContextRef ctx, LLVMValueRef constant) {
    auto array    = ::llvm::dyn_cast<::llvm::ConstantArray>(::llvm::unwrap(constant));
    auto is_bytes = [](auto type) { return type && type->getElementType()->isIntegerTy(8); };
    auto type     = array ? ::llvm::dyn_cast<::llvm::FixedVectorType>(array->getType()->getElementType()) : nullptr;
    if (!is_bytes(type)) return nullptr;
    std::string bytes;
    for (auto& op : array->operands()) {
        if (auto data = ::llvm::dyn_cast<::llvm::ConstantDataVector>(op)) bytes += data->getRawDataValues();
        else if (::llvm::isa<::llvm::ConstantAggregateZero>(op)) bytes.append(type->getNumElements(), '\0');
        else return nullptr;
    }
    return LLVMConstStringInContext(ctx, bytes.data(), unsigned(bytes.size()), true);
}

/// A constant in memory, once for the module.
LLVMValueRef Emitter::table(LLVMValueRef constant) {
    auto& global = tables_[constant];
    if (global) return global;
    auto bytes = as_bytes(ctx_, constant);
    auto init  = bytes ? bytes : constant;
    global     = LLVMAddGlobal(module_, LLVMTypeOf(init), "table");
    LLVMSetInitializer(global, init);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, LLVMPreferredAlignmentOfType(settings_.data, LLVMTypeOf(constant)));
    return global;
}

} // namespace mim::backend::llvm
