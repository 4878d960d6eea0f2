// SPDX-License-Identifier: MIT
// See target.h.
#include "backend/llvm/target.h"

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>

namespace mim::backend::llvm {

std::string take(char* message) {
    std::string text = message ? message : "";
    if (message) LLVMDisposeMessage(message);
    return text;
}

Target::~Target() {
    if (data_) LLVMDisposeTargetData(data_);
    if (machine_) LLVMDisposeTargetMachine(machine_);
}

static LLVMCodeGenOptLevel codegen_level(unsigned opt) {
    static constexpr LLVMCodeGenOptLevel levels[] = {LLVMCodeGenLevelNone, LLVMCodeGenLevelLess, LLVMCodeGenLevelDefault,
                                                     LLVMCodeGenLevelAggressive};
    return levels[opt < 3 ? opt : 3];
}

/// LLVM 19 makes wrong gathers of straight-line code, but none where a target prefers others: see gathers.h for loops.
static std::string without_gathers(LLVMTargetRef target, std::string features) {
    bool is_x86 = std::string_view(LLVMGetTargetName(target)).starts_with("x86");
    if (is_x86) features += features.empty() ? "+prefer-no-gather" : ",+prefer-no-gather";
    return features;
}

bool Target::create(Diagnostics& diags, const EmitOptions& options, bool jit) {
    [[maybe_unused]] static const bool once = (initialize_targets(), true); // of all threads
    auto host                               = take(LLVMGetDefaultTargetTriple());
    triple_ = options.triple.empty() ? host : take(LLVMNormalizeTargetTriple(options.triple.c_str()));

    LLVMTargetRef target = nullptr;
    char* why            = nullptr;
    if (LLVMGetTargetFromTriple(triple_.c_str(), &target, &why)) {
        diags.report(Diag::unknown_target, {}, {options.triple, take(why)});
        return false;
    }
    if (!LLVMTargetHasTargetMachine(target)) {
        diags.report(Diag::unknown_target, {}, {options.triple, "LLVM generates no code for it"});
        return false;
    }
    auto make = [&](const std::string& cpu, const std::string& known) {
        auto features = without_gathers(target, known);
        return LLVMCreateTargetMachine(target, triple_.c_str(), cpu.c_str(), features.c_str(), codegen_level(options.opt),
                                       jit ? LLVMRelocDefault : LLVMRelocPIC,
                                       jit ? LLVMCodeModelJITDefault : LLVMCodeModelDefault);
    };
    bool native = options.cpu == "native" || (options.cpu.empty() && (jit || options.triple.empty()));
    auto report = [&](const std::string& fault) { return diags.report(Diag::unknown_target, {}, {options.cpu, fault}), false; };
    if (!native && !options.cpu.empty()) { // LLVM itself would take another one, and go on
        auto generic  = make("", "");
        bool is_known = generic && knows_processor(generic, options.cpu);
        LLVMDisposeTargetMachine(generic);
        if (!is_known) return report("LLVM knows no such processor");
    }
    machine_ = native ? make(take(LLVMGetHostCPUName()), take(LLVMGetHostCPUFeatures())) : make(options.cpu, "");
    if (!machine_) {
        diags.report(Diag::unknown_target, {}, {triple_, "no target machine"});
        return false;
    }
    if (auto lacking = jit && !native ? lacking_feature(machine_) : ""; !lacking.empty())
        return report("this processor lacks `" + lacking + "`, so that the program cannot run here");
    data_ = LLVMCreateTargetDataLayout(machine_);
    return true;
}

std::string Target::layout() const { return take(LLVMCopyStringRepOfTargetData(data_)); }

} // namespace mim::backend::llvm
