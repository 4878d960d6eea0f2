// SPDX-License-Identifier: MIT
// See debugger.h.
#include "jit/llvm/debugger.h"

#include <dlfcn.h>
#include <llvm-c/LLJITUtils.h>

extern "C" void llvm_orc_registerJITLoaderGDBWrapper(); // of LLVM; only its address matters

namespace mim::backend::llvm {

/// LLVM looks for that function among the symbols of the process. Its library is not among them as long as only ours, which was opened
/// for us alone, uses it.
LLVMErrorRef tell_debuggers(LLVMOrcLLJITRef jit) {
    Dl_info library;
    if (dladdr(reinterpret_cast<void*>(llvm_orc_registerJITLoaderGDBWrapper), &library))
        dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    return LLVMOrcLLJITEnableDebugSupport(jit);
}

} // namespace mim::backend::llvm
