// SPDX-License-Identifier: MIT
// Opens what makes code, which lies next to libmim, when code is emitted and never earlier: libmim_llvm_host.so for this machine,
// libmim_llvm.so for others, and for this one if the first is not there. The first contains the parts of LLVM that it needs, while the
// second is linked with LLVM's own library, and half of the time that a small program takes to compile went by in loading that.
#include <dlfcn.h>

#include <cstring>

#include "backend/module.h"

namespace mim::backend {

static std::string path_of(const char* library) {
    Dl_info info;
    if (!dladdr(reinterpret_cast<void*>(&path_of), &info) || !info.dli_fname) return library;
    std::string path = info.dli_fname;
    auto slash       = path.rfind('/');
    return slash == std::string::npos ? library : path.substr(0, slash + 1) + library;
}

static const char* const kAnyMachine = "libmim_llvm.so";

/// An exception must not leave dlopen, which would keep its lock: it ends the program, if its library gets no memory.
static void* open_uncaught(const std::string& path) noexcept { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); }

/// The library's table, or null with a reason. dlopen counts references: no handle needs to be kept.
static const LLVMModule* open_library(const char* library, std::string& why) {
    auto handle = open_uncaught(path_of(library));
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

static const LLVMModule* open_module(const std::string& triple, std::string& why) {
    auto module = triple.empty() ? open_library("libmim_llvm_host.so", why) : nullptr;
    return module ? module : open_library(kAnyMachine, why);
}

static const LLVMModule* module(Diagnostics& diags, const std::string& triple) {
    std::string why;
    auto result = open_module(triple, why);
    if (!result) diags.report(Diag::no_back_end, {}, {path_of(kAnyMachine), why});
    return result;
}

/// Reports that a function has no body.
static bool is_complete(const World& world, Diagnostics& diags) {
    auto open = world.externals.find_open();
    if (open) diags.report(Diag::external_open, {}, {open->name.str()});
    return !open;
}

bool emit(World& world, Diagnostics& diags, const EmitOptions& options, const Sink& sink) {
    if (!is_complete(world, diags)) return false;
    bool needs_llvm = false, ok = true;
    for (auto& file : options.files) needs_llvm |= file.kind != Output::Header;
    auto m = needs_llvm ? module(diags, options.triple) : nullptr;
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
    auto m = is_complete(world, diags) ? module(diags, options.triple) : nullptr;
    return m ? m->compile_in_memory(world, diags, options) : nullptr;
}

int run_jit(World& world, Diagnostics& diags, const EmitOptions& options, const std::vector<std::string>& args) {
    auto m = is_complete(world, diags) ? module(diags, options.triple) : nullptr;
    return m ? m->run_jit(world, diags, options, args) : -1;
}

/// Those of this machine that what chooses code asks for.
static std::set<std::string, std::less<>> host_features() {
    std::set<std::string, std::less<>> result;
#if defined(__x86_64__)
    auto add = [&](const char* name, bool has) {
        if (has) result.emplace(name);
    };
    __builtin_cpu_init();
    add("ssse3", __builtin_cpu_supports("ssse3"));
    add("avx512vbmi", __builtin_cpu_supports("avx512vbmi"));
#elif defined(__aarch64__)
    result.emplace("neon");
#endif
    return result;
}

bool set_target(World& world, Diagnostics& diags, const std::string& triple, const std::string& cpu) {
    if (triple.empty() && (cpu.empty() || cpu == "native")) {
        world.features = host_features();
        return true;
    }
    auto m = module(diags, triple);
    return m && m->set_target(world, diags, triple, cpu);
}

std::string llvm_version() {
    std::string why;
    auto m = open_module({}, why);
    return m ? std::string("LLVM ") + m->llvm_version() : path_of(kAnyMachine) + ": " + why;
}

} // namespace mim::backend
