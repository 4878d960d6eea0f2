// SPDX-License-Identifier: MIT
// LLVM vectorizes a loop so that each turn has up to four vectors, and what has fewer elements is done one by one. That
// helps where several vectors are at work at once, and not where all wait for a sum whose order is kept: rows of 3 to 15
// numbers took up to twice the time there. A turn of such a loop has one vector.
//
// Shorter vectors do the elements that other loops leave over; by itself, LLVM has these only where a vector has at
// least 16 elements. A long loop is worth less of that: its code would be there three times, and compiling it takes a third
// longer. This is an option of the process as well, so it is set for each function while a lock is held: where all loops
// of a function are long.
//
// A turn that writes many neighbours, as a small matrix that was unrolled, is vectorized as straight-line code is, which
// follows later: vectors of several turns would have to be put together, and scattered again.
//
// Two turns that call a function of the mathematical library become one. The upper halves of vectors are cleared before a
// call, unless another call has just been there: exponentials of rows took up to 9 percent longer.
#include "backend/llvm/loop_vectors.h"

#include <algorithm>
#include <vector>

#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
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

/// Whether the address of a store moves on by a known number of bytes, for as many elements as LLVM writes as a group, or more.
bool is_scattered(StoreInst& store, const Loop& loop, ScalarEvolution& evolution) {
    constexpr uint64_t max_group = 8;
    auto way                     = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(store.getPointerOperand()));
    auto step = way && way->getLoop() == &loop ? dyn_cast<SCEVConstant>(way->getStepRecurrence(evolution)) : nullptr;
    if (!step) return false;
    auto bytes = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
    return step->getAPInt().abs().uge(max_group * bytes.getFixedValue());
}

/// Most loops have few stores: then nobody has to ask how addresses move, which takes LLVM longer with each loop in front.
bool writes_neighbours(const Loop& loop, ScalarEvolution& evolution) {
    constexpr size_t min_neighbours = 4;
    std::vector<StoreInst*> stores;
    for (auto block : loop.blocks())
        for (auto& instruction : *block)
            if (auto store = dyn_cast<StoreInst>(&instruction)) stores.push_back(store);
    auto scatters = [&](auto store) { return is_scattered(*store, loop, evolution); };
    return stores.size() >= min_neighbours && std::ranges::all_of(stores, scatters);
}

/// Whether a short turn calls a function that computes numbers, and nothing else.
bool computes_by_call(const Loop& loop) {
    constexpr size_t few = 32; // instructions
    auto is_library_call = [](const Instruction& instruction) {
        auto call = dyn_cast<CallInst>(&instruction);
        return call && call->isNoBuiltin() && call->doesNotAccessMemory();
    };
    auto calls = [&](auto block) { return std::any_of(block->begin(), block->end(), is_library_call); };
    return size_of(loop) <= few && std::any_of(loop.block_begin(), loop.block_end(), calls);
}

} // namespace

/// Looks at the loops of a function before they are vectorized.
class PreparesLoops : public ::llvm::PassInfoMixin<PreparesLoops> {
public:
    explicit PreparesLoops(LoopVectors& vectors)
        : vectors_(&vectors) {}

    ::llvm::PreservedAnalyses run(::llvm::Function& f, ::llvm::FunctionAnalysisManager& analyses) {
        auto& evolution = analyses.getResult<::llvm::ScalarEvolutionAnalysis>(f);
        vectors_->prepare(analyses.getResult<::llvm::LoopAnalysis>(f), evolution);
        return ::llvm::PreservedAnalyses::all();
    }

private:
    LoopVectors* vectors_;
};

LoopVectors::LoopVectors(::llvm::PassBuilder& builder, ::llvm::PassInstrumentationCallbacks& callbacks) {
    choose_process_options();
    auto is_vectorizer = [](::llvm::StringRef pass) { return pass == "LoopVectorizePass"; };
    builder.registerVectorizerStartEPCallback([this](auto& passes, auto level) {
        bool is_optimized = level != ::llvm::OptimizationLevel::O0; // LLVM asks without a vectorizer, too
        if (is_optimized) passes.addPass(PreparesLoops(*this));
    });
    callbacks.registerBeforeNonSkippedPassCallback([=, this](::llvm::StringRef pass, const ::llvm::Any&) {
        if (is_vectorizer(pass)) enter();
    });
    callbacks.registerAfterPassCallback([=, this](::llvm::StringRef pass, const ::llvm::Any&, const ::llvm::PreservedAnalyses&) {
        if (is_vectorizer(pass)) leave();
    });
}

void LoopVectors::prepare(::llvm::LoopInfo& loops, ::llvm::ScalarEvolution& evolution) {
    are_long_ = true;
    for (auto loop : loops.getLoopsInPreorder()) {
        if (!loop->isInnermost()) continue;
        if (loop->getLoopPreheader() && adds_in_order(*loop))
            ::llvm::addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
        if (writes_neighbours(*loop, evolution)) ::llvm::addStringMetadataToLoop(loop, "llvm.loop.vectorize.width", 1);
        if (computes_by_call(*loop)) ::llvm::addStringMetadataToLoop(loop, "llvm.loop.unroll.count", 2);
        if (!is_long(*loop)) are_long_ = false;
    }
}

void LoopVectors::enter() {
    options_ = std::unique_lock(options);
    set_process_option("epilogue-vectorization-minimum-VF", are_long_ ? "16" : "4");
}

void LoopVectors::leave() { options_.unlock(); }

} // namespace mim::backend::llvm
