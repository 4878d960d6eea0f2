// SPDX-License-Identifier: MIT
// Only x86-64 needs some: conversions of half-precision floats, which a processor without F16C lacks, and those between half and
// double precision, which most lack.
#include "jit/llvm/runtime.h"

#include <llvm-c/Orc.h>

#include <vector>

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
#ifdef __x86_64__
    static constexpr Helper helpers[] = {{"__extendhfsf2", __extendhfsf2},
                                         {"__extendhfdf2", __extendhfdf2},
                                         {"__truncsfhf2", __truncsfhf2},
                                         {"__truncdfhf2", __truncdfhf2}};
    std::vector<LLVMOrcCSymbolMapPair> symbols;
    for (auto& helper : helpers) {
        LLVMJITSymbolFlags flags{LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable, 0};
        symbols.push_back(
            {LLVMOrcLLJITMangleAndIntern(jit, helper.name), {reinterpret_cast<LLVMOrcExecutorAddress>(helper.function), flags}});
    }
    return LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(symbols.data(), symbols.size()));
#else
    (void)jit;
    return nullptr;
#endif
}

} // namespace mim::backend::llvm
