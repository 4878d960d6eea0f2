// SPDX-License-Identifier: MIT
// Functions as values that refer to variables around them and may outlive them. A program that makes such values
// (Axiom::Closures) has closures wherever it has values of function type, but for those that C sees
// (function_values.h).
//
// Functions that refer to each other share one record, {code…, environment}. Each is the address of its own code in
// it, and finds the environment and the others at fixed distances. A collector reclaims the records (heap.h). A
// program without closures knows nothing of all this.
#pragma once
#include <unordered_map>

#include "backend/llvm/closure_code.h"
#include "backend/llvm/functions.h"
#include "backend/llvm/heap.h"
#include "backend/llvm/value_calls.h"

namespace mim::backend::llvm {

class EscapingClosures {
public:
    EscapingClosures(Context& ctx, CodeBuilder& build, TypeLowering& types, Signatures& signatures, Functions& functions,
                     Heap& heap, Conversions& conversions, ValueCalls& value_calls)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , signatures_(signatures)
        , functions_(functions)
        , heap_(heap)
        , conversions_(conversions)
        , value_calls_(value_calls) {}

    /// See Emit. Code that is not closed, and functions that C sees, are reported and throw Failed.
    Value escaping(const Def* code, const Def* env);

private:
    LLVMValueRef functions_at(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef record, unsigned n, const Def* type);
    LLVMValueRef code_of_place(const Lam* code, const Lam* fn, unsigned place, unsigned n, LLVMTypeRef record);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Signatures& signatures_;
    Functions& functions_;
    Heap& heap_;
    Conversions& conversions_;
    ValueCalls& value_calls_;
    std::unordered_map<const Lam*, LLVMValueRef> codes_;
};

} // namespace mim::backend::llvm
