// SPDX-License-Identifier: MIT
// Processors, by LLVM's C++ interface: the C one does not tell what they have.
#include <llvm/ADT/StringMap.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include "backend/llvm/target.h"

namespace mim::backend::llvm {

static const ::llvm::MCSubtargetInfo& info_of(LLVMTargetMachineRef machine) {
    return *reinterpret_cast<::llvm::TargetMachine*>(machine)->getMCSubtargetInfo();
}

bool knows_processor(LLVMTargetMachineRef machine, const std::string& cpu) { return info_of(machine).isCPUStringValid(cpu); }

std::string lacking_feature(LLVMTargetMachineRef machine) {
    std::string first;
    for (auto& feature : ::llvm::sys::getHostCPUFeatures()) {
        auto name = feature.first();
        if (!feature.second && info_of(machine).checkFeatures("+" + name.str()) && (first.empty() || name < first)) first = name;
    }
    return first;
}

} // namespace mim::backend::llvm
