// SPDX-License-Identifier: MIT
// Loops that load where another load says, in one operation for all lanes.
#pragma once
#include <string>

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>

namespace mim::backend::llvm {

/// Allows gathers to a pipeline where it makes vectors of loops, and nowhere else. It lives as long as the pipeline runs.
class Gathers {
public:
    Gathers(::llvm::PassBuilder&, ::llvm::PassInstrumentationCallbacks&, const ::llvm::TargetMachine&);
    Gathers(const Gathers&)            = delete;
    Gathers& operator=(const Gathers&) = delete;

private:
    void prepare(::llvm::Function&, ::llvm::FunctionAnalysisManager&);
    void allow(::llvm::Function&);
    void forbid(::llvm::Function&);

    std::string features_; // of the target, with gathers; empty if it has none
    ::llvm::FunctionAnalysisManager* analyses_ = nullptr;

    friend class PreparesGathers;
};

} // namespace mim::backend::llvm
