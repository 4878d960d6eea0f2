// SPDX-License-Identifier: MIT
// Calls of C functions by their signatures (c_signature.h).
#pragma once
#include <span>

#include "backend/llvm/c_signature.h"
#include "backend/llvm/heap.h"

namespace mim::backend::llvm {

class Arrays;
class Conversions;

class CCalls {
public:
    CCalls(Context& ctx, CodeBuilder& build, Heap& heap, Arrays& arrays, Conversions& conversions)
        : ctx_(ctx)
        , build_(build)
        , heap_(heap)
        , arrays_(arrays)
        , conversions_(conversions) {}

    /// The function of this name, declared on first use. One of another type is reported at `at` and throws Failed.
    LLVMValueRef function(std::string_view name, const CSig&, const Def* at);
    /// The C function that an axiom is, as function() does; on behalf of the current place.
    LLVMValueRef import(const Axm*, const CSig&);
    /// The attributes that C's calling convention asks for.
    void attributes(const CSig&, LLVMValueRef fn_or_call, bool is_call);

    /// Calls `callee` with the arguments as they are passed in the internal form. The result is empty if there is none.
    Value call(LLVMValueRef callee, const CSig&, const std::vector<LLVMValueRef>& internal);
    /// The arguments of the internal form, of these types, that the parameters of `fn`, which has this signature, are.
    std::vector<LLVMValueRef> receive(LLVMValueRef fn, const CSig&, std::span<const LLVMTypeRef> types);
    /// Ends `fn` with the result.
    void give_back(LLVMValueRef fn, const CSig&, Value result);

private:
    std::vector<LLVMValueRef> group(const CSig&, const std::vector<LLVMValueRef>& args, std::span<const LLVMTypeRef> types);
    Value read(const CArg&, LLVMValueRef memory);
    void write(const CArg&, LLVMValueRef value, LLVMValueRef memory);
    std::vector<LLVMValueRef> ungroup(const CSig&, const std::vector<LLVMValueRef>& internal);

    Context& ctx_;
    CodeBuilder& build_;
    Heap& heap_;
    Arrays& arrays_;
    Conversions& conversions_;
};

} // namespace mim::backend::llvm
