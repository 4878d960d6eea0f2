// SPDX-License-Identifier: MIT
// Functions as values. In a type that C sees (CTypes) the value is a C function. In any other type it is the address
// of a function in the internal form; or, in a program that makes closures, of a record (closure_code.h): a constant
// one if the function has no variables around it, so that it costs nothing to make.
#pragma once
#include <unordered_map>
#include <utility>

#include "backend/llvm/c_entries.h"
#include "backend/llvm/closure_code.h"
#include "backend/llvm/value_calls.h"

namespace mim::backend::llvm {

class FunctionValues {
public:
    FunctionValues(Context& ctx, CodeBuilder& build, Signatures& signatures, CSignatures& c_signatures, CCalls& c_calls,
                   CEntries& entries, Functions& functions, ValueCalls& value_calls)
        : ctx_(ctx)
        , build_(build)
        , signatures_(signatures)
        , c_signatures_(c_signatures)
        , c_calls_(c_calls)
        , entries_(entries)
        , functions_(functions)
        , value_calls_(value_calls) {}

    /// A closed function. One that is not closed is reported and throws Failed.
    LLVMValueRef of(const Lam*);
    /// A C function.
    LLVMValueRef of(const Axm*);
    /// How to call a value of a type that C does not see: what is called, and with which type; `args` are completed.
    std::pair<LLVMValueRef, LLVMTypeRef> callee(LLVMValueRef value, const Signature&, std::vector<LLVMValueRef>& args);

private:
    LLVMValueRef internal(LLVMValueRef fn, const Signature&);

    Context& ctx_;
    CodeBuilder& build_;
    Signatures& signatures_;
    CSignatures& c_signatures_;
    CCalls& c_calls_;
    CEntries& entries_;
    Functions& functions_;
    ValueCalls& value_calls_;
    std::unordered_map<LLVMValueRef, LLVMValueRef> records_; ///< constant ones, by function
};

} // namespace mim::backend::llvm
