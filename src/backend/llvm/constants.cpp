// SPDX-License-Identifier: MIT
// See constants.h.
#include "backend/llvm/constants.h"

#include <llvm/IR/Constants.h>

#include <string>

namespace mim::backend::llvm {

LLVMValueRef constant_global(LLVMModuleRef module, LLVMValueRef value, const char* name) {
    auto global = LLVMAddGlobal(module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

LLVMValueRef as_bytes(LLVMValueRef constant) {
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
    auto ctx = LLVMGetTypeContext(LLVMTypeOf(constant));
    return LLVMConstStringInContext(ctx, bytes.data(), unsigned(bytes.size()), true);
}

} // namespace mim::backend::llvm
