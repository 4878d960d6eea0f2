// SPDX-License-Identifier: MIT
// A target machine of LLVM and what belongs to it, owned.
#pragma once
#include <llvm-c/TargetMachine.h>

#include <string>
#include <utility>

#include "backend/backend.h"

namespace mim::backend::llvm {

class Target {
public:
    Target() = default;
    ~Target();
    Target(const Target&)            = delete;
    Target& operator=(const Target&) = delete;

    /// False after reporting that there is no such target. `jit`: code for this process.
    bool create(Diagnostics&, const EmitOptions&, bool jit);
    LLVMTargetMachineRef machine() const { return machine_; }
    LLVMTargetDataRef data() const { return data_; }
    const std::string& triple() const { return triple_; }
    std::string layout() const;
    /// Gives the machine away.
    LLVMTargetMachineRef release() { return std::exchange(machine_, nullptr); }

private:
    LLVMTargetMachineRef machine_ = nullptr;
    LLVMTargetDataRef data_       = nullptr;
    std::string triple_;
};

/// Makes the targets known that the module is for (targets/).
void initialize_targets();

/// Whether the target of `machine` has such a processor.
bool knows_processor(LLVMTargetMachineRef machine, const std::string& cpu);
/// Instructions that code for `machine` may use and that the processor that runs this lacks; empty if there are none.
std::string lacking_feature(LLVMTargetMachineRef machine);

/// Takes over a string of LLVM's.
std::string take(char* message);

} // namespace mim::backend::llvm
