// SPDX-License-Identifier: MIT
// What libmim_llvm.so exports: one table of functions, found under the name `mim_llvm`.
#pragma once
#include "backend/backend.h"

namespace mim::backend {

struct LLVMModule {
    const char* version; ///< MIM_VERSION it was compiled with
    bool (*emit)(World&, Diagnostics&, const EmitOptions&, const Sink&);
    std::unique_ptr<Code> (*compile_in_memory)(World&, Diagnostics&, const EmitOptions&);
    int (*run_jit)(World&, Diagnostics&, const EmitOptions&, const std::vector<std::string>& args);
    bool (*set_target)(World&, Diagnostics&, const std::string& triple, const std::string& cpu);
    const char* (*llvm_version)();
};

} // namespace mim::backend
