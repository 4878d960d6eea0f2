// SPDX-License-Identifier: MIT
// Loops that LLVM makes vectors of: choices that its default pipeline leaves to the target.
#pragma once
#include <mutex>

#include <llvm/IR/PassInstrumentation.h>
#include <llvm/Passes/PassBuilder.h>

namespace mim::backend::llvm {

/// Joins the vectorizer's choices to a pipeline. It lives as long as the pipeline runs.
class LoopVectors {
public:
    LoopVectors(::llvm::PassBuilder&, ::llvm::PassInstrumentationCallbacks&);
    LoopVectors(const LoopVectors&)            = delete;
    LoopVectors& operator=(const LoopVectors&) = delete;

private:
    void prepare(::llvm::LoopInfo&, ::llvm::ScalarEvolution&);
    void enter();
    void leave();

    bool are_long_ = false; // all loops of the function that is vectorized next
    std::unique_lock<std::mutex> options_;

    friend class PreparesLoops;
};

} // namespace mim::backend::llvm
