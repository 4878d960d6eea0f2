// SPDX-License-Identifier: MIT
// What --checked adds: where an operation would be undefined, the program writes the diagnostic that the evaluator
// would report, with the user's line, to standard error and aborts. Everything it needs is in the module, so an
// object file needs no library of ours.
#pragma once
#include <optional>

#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"

namespace mim::backend::llvm {

class Checks {
public:
    Checks(Context& ctx, CodeBuilder& build)
        : ctx_(ctx)
        , build_(build) {}

    /// See Emit.
    void trap_if(Value cond, const Def* at, std::string_view what, Values numbers);
    bool may_be_2_64(const Def* size);
    /// When all functions are emitted, since the program itself may declare `write` or `abort`, and more precisely
    /// than here.
    void finish();

private:
    LLVMValueRef report_function();
    LLVMValueRef number_function();
    void finish_number();
    LLVMValueRef internal_function(const char* name, std::vector<LLVMTypeRef> params);
    void call_with_text(LLVMValueRef, std::string_view text, LLVMValueRef number = nullptr);

    Context& ctx_;
    CodeBuilder& build_;
    LLVMValueRef report_ = nullptr;   ///< writes a text and aborts
    LLVMValueRef number_ = nullptr;   ///< writes a text and a number
    std::optional<bool> passes_2_64_; ///< 2^64 is among the values of the program
};

} // namespace mim::backend::llvm
