// SPDX-License-Identifier: MIT
// While a function is emitted, another one may be needed that only calls something: a wrapper.
#pragma once
#include "backend/llvm/code_builder.h"
#include "backend/llvm/context.h"
#include "backend/llvm/debug_names.h"

namespace mim::backend::llvm {

/// While it lives, code goes to the body of `fn`, a function without blocks. Then the function before it goes on
/// where it was.
class Detour {
public:
    /// `place` is to blame for what is wrong.
    Detour(Context&, CodeBuilder&, DebugNames&, LLVMValueRef fn, const Def* place);
    ~Detour();
    Detour(const Detour&)            = delete;
    Detour& operator=(const Detour&) = delete;

private:
    Context& ctx_;
    CodeBuilder& build_;
    DebugNames& names_;
    Frame frame_;
    DebugNames::Function debug_;
    CodeBuilder::Position position_;
    LLVMBasicBlockRef body_;
};

} // namespace mim::backend::llvm
