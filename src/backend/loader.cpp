// SPDX-License-Identifier: MIT
// Opens libmim_llvm.so, which lies next to libmim, when code is emitted and never earlier.
#include <dlfcn.h>

#include <cstring>

#include "backend/module.h"

namespace mim::backend {

static std::string library_path() {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void*>(&library_path), &info) || !info.dli_fname) return "libmim_llvm.so";
    std::string path = info.dli_fname;
    auto slash       = path.rfind('/');
    return slash == std::string::npos ? "libmim_llvm.so" : path.substr(0, slash + 1) + "libmim_llvm.so";
}

/// The module's table, or null with a reason. dlopen counts references: no handle needs to be kept.
static const LLVMModule* open_module(std::string& why) {
    auto path   = library_path();
    auto handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
        why = dlerror();
        return nullptr;
    }
    auto module = static_cast<const LLVMModule*>(dlsym(handle, "mim_llvm"));
    if (!module) {
        why = "it lacks the symbol `mim_llvm`";
        return nullptr;
    }
    if (std::strcmp(module->version, MIM_VERSION) == 0) return module;
    why = std::string("it is of version ") + module->version + ", this is " + MIM_VERSION;
    return nullptr;
}

static const LLVMModule* module(Diagnostics& diags) {
    std::string why;
    auto result = open_module(why);
    if (!result) diags.report(Diag::no_back_end, {}, {library_path(), why});
    return result;
}

bool emit(World& world, Diagnostics& diags, const EmitOptions& options, const Sink& sink) {
    bool needs_llvm = false, ok = true;
    for (auto& file : options.files) needs_llvm |= file.kind != Output::Header;
    auto m = needs_llvm ? module(diags) : nullptr;
    if (needs_llvm && !(m && m->emit(world, diags, options, sink))) return false;
    for (auto& file : options.files) {
        if (file.kind != Output::Header) continue;
        auto errors = diags.num_errors();
        auto text   = c_header(world, diags);
        ok          = ok && diags.num_errors() == errors && sink(file, text);
    }
    return ok;
}

std::unique_ptr<Code> compile_in_memory(World& world, Diagnostics& diags, const EmitOptions& options) {
    auto m = module(diags);
    return m ? m->compile_in_memory(world, diags, options) : nullptr;
}

int run_jit(World& world, Diagnostics& diags, const EmitOptions& options, const std::vector<std::string>& args) {
    auto m = module(diags);
    return m ? m->run_jit(world, diags, options, args) : -1;
}

bool set_target(World& world, Diagnostics& diags, const std::string& triple) {
    if (triple.empty()) return true;
    auto m = module(diags);
    return m && m->set_target(world, diags, triple);
}

std::string llvm_version() {
    std::string why;
    auto m = open_module(why);
    return m ? std::string("LLVM ") + m->llvm_version() : library_path() + ": " + why;
}

} // namespace mim::backend
