// SPDX-License-Identifier: MIT
// The table that libmim opens.
#include "backend/module.h"

#include <llvm-c/Core.h>

#include "backend/llvm/compile.h"
#include "backend/llvm/passes.h"

namespace mim::backend::llvm {

static bool set_target(World& world, Diagnostics& diags, const std::string& triple, const std::string& cpu) {
    EmitOptions options;
    options.triple = triple;
    options.cpu    = cpu;
    Target target;
    if (!target.create(diags, options, false)) return false;
    world.features = features(target.machine());
    if (triple.empty()) return true;
    world.layout.triple        = target.triple();
    world.layout.text          = target.layout();
    world.layout.pointer_size  = LLVMPointerSize(target.data());
    world.layout.pointer_align = LLVMPointerSize(target.data());
    return true;
}

static const char* version() {
    static const std::string text = [] {
        unsigned major, minor, patch;
        LLVMGetVersion(&major, &minor, &patch);
        return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
    }();
    return text.c_str();
}

} // namespace mim::backend::llvm

extern "C" __attribute__((visibility("default"))) const mim::backend::LLVMModule mim_llvm = {
    MIM_VERSION,
    mim::backend::llvm::emit_files,
    mim::backend::llvm::make_code,
    mim::backend::llvm::run_in_memory,
    mim::backend::llvm::set_target,
    mim::backend::llvm::version,
};
