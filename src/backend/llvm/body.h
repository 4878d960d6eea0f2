// SPDX-License-Identifier: MIT
// A function whose blocks are being filled.
#pragma once
#include <vector>

#include "backend/llvm/signatures.h"

namespace mim::backend::llvm {

/// A call directly before its return, which becomes a tail call unless it may receive a pointer into the caller's
/// slots.
struct TailCall {
    LLVMValueRef call, ret;
    bool is_self;
};

struct Body {
    Function& fn;
    LLVMValueRef llvm;
    Signature sig;
    LLVMBasicBlockRef entry = nullptr;     ///< for memory of the activation
    std::vector<LLVMBasicBlockRef> blocks; ///< by number
    std::vector<std::vector<LLVMValueRef>>
        phis; ///< by block, one for each parameter; those of block 0 get the function's parameters
    std::vector<TailCall> tail_calls;
};

} // namespace mim::backend::llvm
