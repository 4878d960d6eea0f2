// SPDX-License-Identifier: MIT
// libmim_llvm makes code for all machines that LLVM knows.
#include <llvm-c/Target.h>

#include "backend/llvm/target.h"

namespace mim::backend::llvm {

void initialize_targets() {
    LLVMInitializeAllTargetInfos();
    LLVMInitializeAllTargets();
    LLVMInitializeAllTargetMCs();
    LLVMInitializeAllAsmPrinters();
    LLVMInitializeAllAsmParsers();
}

} // namespace mim::backend::llvm
