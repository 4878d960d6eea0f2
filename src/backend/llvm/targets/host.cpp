// SPDX-License-Identifier: MIT
// libmim_llvm_host makes code for this machine only, and so contains no more of LLVM than that.
#include <llvm-c/Target.h>

#include "backend/llvm/target.h"

namespace mim::backend::llvm {

void initialize_targets() {
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
}

} // namespace mim::backend::llvm
