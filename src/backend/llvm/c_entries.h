// SPDX-License-Identifier: MIT
// Functions that go between C and the internal form: externals and callbacks, which C calls, and C functions as values.
#pragma once
#include <unordered_map>

#include "backend/llvm/c_calls.h"
#include "backend/llvm/debug_names.h"
#include "backend/llvm/functions.h"

namespace mim::backend::llvm {

class CEntries {
public:
    CEntries(Context& ctx, CodeBuilder& build, Signatures& signatures, CSignatures& c_signatures, CCalls& c_calls,
             Functions& functions, Heap& heap, DebugNames& names)
        : ctx_(ctx)
        , build_(build)
        , signatures_(signatures)
        , c_signatures_(c_signatures)
        , c_calls_(c_calls)
        , functions_(functions)
        , heap_(heap)
        , names_(names) {}

    /// Defines the C function `name`, which calls the λ. That it is there already, or is a `main` of a wrong type, is
    /// reported and throws Failed.
    void external(Symbol name, const Lam*);
    /// A C function without a name that calls the closed λ: its value in a type that C sees.
    LLVMValueRef callback(const Lam*);
    /// A function in the internal form that calls the C function: its value in a type that C does not see.
    LLVMValueRef thunk(const Axm*);

private:
    LLVMValueRef body(LLVMValueRef wrapper, const CSig&, const Lam*);
    void check_main(const Lam*, const CSig&);
    bool is_allocator_of_other_type(std::string_view name, LLVMTypeRef);

    Context& ctx_;
    CodeBuilder& build_;
    Signatures& signatures_;
    CSignatures& c_signatures_;
    CCalls& c_calls_;
    Functions& functions_;
    Heap& heap_;
    DebugNames& names_;
    std::unordered_map<const Lam*, LLVMValueRef> callbacks_;
    std::unordered_map<const Axm*, LLVMValueRef> thunks_;
};

} // namespace mim::backend::llvm
