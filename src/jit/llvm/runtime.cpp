// SPDX-License-Identifier: MIT
// What --checked asks of memory. Of the compiler's own library, only x86-64 needs something: conversions of half-precision floats, which a processor without F16C lacks, and those between half and
// double precision, which most lack.
#include "jit/llvm/runtime.h"

#include <dlfcn.h>
#include <llvm-c/Orc.h>

#include <vector>

#include "backend/llvm/compile.h"
#include "base/crash.h"
#include "runtime/memory.h"

#ifdef __x86_64__
// Only their addresses matter: they take and return `_Float16`.
extern "C" {
void __extendhfsf2();
void __extendhfdf2();
void __truncsfhf2();
void __truncdfhf2();
}
#endif

namespace mim::backend::llvm {

namespace {
struct Helper {
    const char* name;
    void (*function)();
};
} // namespace

LLVMErrorRef define_runtime(LLVMOrcLLJITRef jit) {
    static constexpr auto address = [](auto* function) { return reinterpret_cast<void (*)()>(function); };
    const Helper helpers[]        = {
        {"mim_memory_heap", address(mim_memory_heap)},
        {"mim_memory_slot", address(mim_memory_slot)},
        {"mim_memory_enter", address(mim_memory_enter)},
        {"mim_memory_leave", address(mim_memory_leave)},
        {"mim_memory_end", address(mim_memory_end)},
        {"mim_memory_element", address(mim_memory_element)},
        {"mim_memory_access", address(mim_memory_access)},
        {"mim_memory_read", address(mim_memory_read)},
        {"mim_memory_write", address(mim_memory_write)},
        {"mim_memory_free", address(mim_memory_free)},
        {"mim_memory_unknown", address(mim_memory_unknown)},
#ifdef __x86_64__
        {"__extendhfsf2", __extendhfsf2},
        {"__extendhfdf2", __extendhfdf2},
        {"__truncsfhf2", __truncsfhf2},
        {"__truncdfhf2", __truncdfhf2},
#endif
    };
    std::vector<LLVMOrcCSymbolMapPair> symbols;
    for (auto& helper : helpers) {
        LLVMJITSymbolFlags flags{LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
        symbols.push_back(
            {LLVMOrcLLJITMangleAndIntern(jit, helper.name), {reinterpret_cast<LLVMOrcExecutorAddress>(helper.function), flags}});
    }
    return LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(symbols.data(), symbols.size()));
}

/// An exception must not leave dlopen, which would keep its lock: it ends here, as a crash.
static void* open_uncaught(const std::string& path) noexcept { return dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL); }

static void* open(const RuntimeLibrary& library, const std::string& path) {
    Blame blame(library.plugin, "the library", library.name);
    Unguarded unguarded;
    return open_uncaught(path);
}

bool open_libraries(Diagnostics& diags, const Outside& outside) {
    for (auto library : outside.libraries) {
        auto path = find_library(diags, *library, ".so");
        if (path.empty()) return false;
        if (open(*library, path)) continue;
        auto why    = std::string(dlerror());
        auto advice = library->advice.empty() ? std::string() : "; " + library->advice;
        diags.report(Diag::missing_library, {}, {library->name, library->plugin, why + advice});
        return false;
    }
    return true;
}

} // namespace mim::backend::llvm
