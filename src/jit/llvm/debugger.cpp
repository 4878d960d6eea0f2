// SPDX-License-Identifier: MIT
// See debugger.h.
#include "jit/llvm/debugger.h"

#include <dlfcn.h>
#include <llvm-c/LLJITUtils.h>

namespace mim::backend::llvm {

/// LLVM looks for its function that registers code among the symbols of the process. Its library is not among them as long as only
/// ours, which was opened for us alone, uses it.
LLVMErrorRef tell_debuggers(LLVMOrcLLJITRef jit) {
    Dl_info library;
    if (dladdr(reinterpret_cast<void*>(LLVMOrcLLJITEnableDebugSupport), &library))
        dlopen(library.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    return LLVMOrcLLJITEnableDebugSupport(jit);
}

} // namespace mim::backend::llvm
