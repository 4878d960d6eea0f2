// SPDX-License-Identifier: MIT
// See functions.h.
#include "backend/llvm/functions.h"

#include "backend/llvm/attributes.h"

namespace mim::backend::llvm {

LLVMValueRef Functions::declare(const Lam* lam, std::string_view name) {
    auto symbol = "mim." + std::string(name);
    auto fn     = LLVMAddFunction(module_.module(), symbol.c_str(), signatures_.of(lam).type);
    LLVMSetFunctionCallConv(fn, tailcc);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    add_attribute(fn, LLVMAttributeFunctionIndex, "nounwind");
    return fn;
}

LLVMValueRef Functions::of(const Lam* lam) {
    auto& fn = functions_[lam];
    if (fn) return fn;
    auto name = world_.notes.name(lam);
    fn        = declare(lam, name.empty() ? "lam" : name.view());
    todo_.push_back(lam);
    return fn;
}

const Lam* Functions::next() {
    if (todo_.empty()) return nullptr;
    auto lam = todo_.back();
    todo_.pop_back();
    return lam;
}

} // namespace mim::backend::llvm
