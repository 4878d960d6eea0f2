// SPDX-License-Identifier: MIT
// Closures in memory, for emitters of axioms that take an open continuation: {address of the code, the emitter's own
// header, captures…}. The emitter that makes one knows how long it lives. Functions that are values and may live for
// ever are made in escaping.h.
#pragma once
#include <map>
#include <utility>

#include "backend/llvm/closure_code.h"
#include "backend/llvm/functions.h"
#include "backend/llvm/heap.h"

namespace mim::backend::llvm {

class Expressions;

class Closures {
public:
    Closures(Context& ctx, CodeBuilder& build, TypeLowering& types, Signatures& signatures, Functions& functions, Heap& heap,
             Expressions& values)
        : ctx_(ctx)
        , build_(build)
        , types_(types)
        , signatures_(signatures)
        , functions_(functions)
        , heap_(heap)
        , values_(values) {}

    /// See Emit. What is no continuation with a return of its own is reported and throws Failed.
    Value closure(const Def*, Type header, Storage);
    Value call_closure(Value closure, const Def* pi, Values args);

private:
    LLVMTypeRef record_type(const Lam*, Type header);
    LLVMValueRef code(const Lam*, Type header, LLVMTypeRef record);
    Value allocate(LLVMTypeRef, Storage);

    Context& ctx_;
    CodeBuilder& build_;
    TypeLowering& types_;
    Signatures& signatures_;
    Functions& functions_;
    Heap& heap_;
    Expressions& values_;
    std::map<std::pair<const Lam*, void*>, LLVMValueRef> codes_; ///< by header type
};

} // namespace mim::backend::llvm
