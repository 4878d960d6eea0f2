// SPDX-License-Identifier: MIT
// LLVM vectorizes a loop so that each turn has up to four vectors, and what has fewer elements is done one by one. That
// helps where several vectors are at work at once, and not where all wait for a sum whose order is kept: rows of 3 to 15
// numbers took up to twice the time there. A turn of such a loop has one vector.
//
// Shorter vectors do the elements that other loops leave over; by itself, LLVM has these only where a vector has at
// least 16 elements. A long loop is worth less of that: its code would be there three times, and compiling it takes a third
// longer. This is an option of the process as well, so it is set for each function while a lock is held: where all loops
// of a function are long.
#include "backend/llvm/loop_vectors.h"

#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "backend/llvm/process_options.h"

namespace mim::backend::llvm {

namespace {

using namespace ::llvm;

std::mutex options; // of the process

size_t size_of(const Loop& loop) {
    size_t size = 0;
    for (auto block : loop.blocks()) size += block->size();
    return size;
}

/// Whether the turns of the loop wait for a sum, or several, whose order is kept, and for little else.
bool adds_in_order(Loop& loop) {
    constexpr size_t few = 24; // instructions
    bool is_ordered      = false;
    for (auto& phi : loop.getHeader()->phis()) {
        RecurrenceDescriptor reduction;
        if (!RecurrenceDescriptor::isReductionPHI(&phi, &loop, reduction)) continue;
        if (!reduction.isOrdered()) return false;
        is_ordered = true;
    }
    return is_ordered && size_of(loop) <= few;
}

bool is_long(const Loop& loop) {
    constexpr size_t many = 128; // instructions
    return size_of(loop) > many;
}

} // namespace

/// Looks at the loops of a function before they are vectorized.
class PreparesLoops : public ::llvm::PassInfoMixin<PreparesLoops> {
public:
    explicit PreparesLoops(LoopVectors& vectors)
        : vectors_(&vectors) {}

    ::llvm::PreservedAnalyses run(::llvm::Function& f, ::llvm::FunctionAnalysisManager& analyses) {
        vectors_->prepare(analyses.getResult<::llvm::LoopAnalysis>(f));
        return ::llvm::PreservedAnalyses::all();
    }

private:
    LoopVectors* vectors_;
};

LoopVectors::LoopVectors(::llvm::PassBuilder& builder, ::llvm::PassInstrumentationCallbacks& callbacks) {
    choose_process_options();
    auto is_vectorizer = [](::llvm::StringRef pass) { return pass == "LoopVectorizePass"; };
    builder.registerVectorizerStartEPCallback([this](auto& passes, auto) { passes.addPass(PreparesLoops(*this)); });
    callbacks.registerBeforeNonSkippedPassCallback([=, this](::llvm::StringRef pass, const ::llvm::Any&) {
        if (is_vectorizer(pass)) enter();
    });
    callbacks.registerAfterPassCallback([=, this](::llvm::StringRef pass, const ::llvm::Any&, const ::llvm::PreservedAnalyses&) {
        if (is_vectorizer(pass)) leave();
    });
}

void LoopVectors::prepare(::llvm::LoopInfo& loops) {
    are_long_ = true;
    for (auto loop : loops.getLoopsInPreorder()) {
        if (!loop->isInnermost()) continue;
        if (loop->getLoopPreheader() && adds_in_order(*loop))
            ::llvm::addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
        if (!is_long(*loop)) are_long_ = false;
    }
}

void LoopVectors::enter() {
    options_ = std::unique_lock(options);
    set_process_option("epilogue-vectorization-minimum-VF", are_long_ ? "16" : "4");
}

void LoopVectors::leave() { options_.unlock(); }

} // namespace mim::backend::llvm
