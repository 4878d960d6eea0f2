// SPDX-License-Identifier: MIT
// The functions of the module in their internal form (signatures.h). They are declared when they are first mentioned,
// and defined later, one after the other.
#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "backend/llvm/signatures.h"

namespace mim::backend::llvm {

class Functions {
public:
    Functions(World& world, ModuleBuilder& module, Signatures& signatures)
        : world_(world)
        , module_(module)
        , signatures_(signatures) {}

    LLVMValueRef of(const Lam*);
    /// One that was mentioned and is to be defined now; null if there is none. Each comes once.
    const Lam* next();

private:
    LLVMValueRef declare(const Lam*, std::string_view name);

    World& world_;
    ModuleBuilder& module_;
    Signatures& signatures_;
    std::unordered_map<const Lam*, LLVMValueRef> functions_;
    std::vector<const Lam*> todo_;
};

} // namespace mim::backend::llvm
