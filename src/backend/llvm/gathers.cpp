// SPDX-License-Identifier: MIT
// LLVM 19 combines scalar loads of straight-line code into a gather that it puts in front of the stores which they read
// from. So our targets prefer other ways (target.cpp). Loops whose turns load where another load says lose a third of
// their speed by that, and their vectorizer keeps the order. A function with such a loop says itself that it has
// gathers: not while its straight-line code is combined, but again when code is generated, which would take a gather
// apart otherwise.
//
// An analysis of the target belongs to a function and is never made anew, so all analyses of the function are dropped
// where its features change.
#include "backend/llvm/gathers.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Target/TargetMachine.h>

namespace mim::backend::llvm {

namespace {

using ::llvm::Loop, ::llvm::Instruction;

constexpr const char* attribute = "target-features";

/// Walks from the addresses that a loop loads from to what they are computed from, each instruction once.
class Addresses {
public:
    explicit Addresses(const Loop& loop)
        : loop_(&loop) {}

    /// Whether the address of a load comes from another load of the same turn.
    bool follow_a_load() {
        for (auto block : loop_->blocks())
            for (auto& instruction : *block)
                if (auto load = ::llvm::dyn_cast<::llvm::LoadInst>(&instruction)) visit(load->getPointerOperand());
        while (!pending_.empty()) {
            auto instruction = pending_.pop_back_val();
            if (::llvm::isa<::llvm::LoadInst>(instruction)) return true;
            for (auto& operand : instruction->operands()) visit(operand);
        }
        return false;
    }

private:
    void visit(const ::llvm::Value* value) {
        auto instruction = ::llvm::dyn_cast<Instruction>(value);
        if (!instruction || !loop_->contains(instruction) || is_of_last_turn(*instruction)) return;
        if (seen_.insert(instruction).second) pending_.push_back(instruction);
    }

    bool is_of_last_turn(const Instruction& instruction) const {
        return ::llvm::isa<::llvm::PHINode>(instruction) && instruction.getParent() == loop_->getHeader();
    }

    const Loop* loop_;
    ::llvm::SmallPtrSet<const Instruction*, 32> seen_;
    ::llvm::SmallVector<const Instruction*, 32> pending_;
};

bool wants_gathers(const Loop* loop) { return loop->isInnermost() && Addresses(*loop).follow_a_load(); }

bool is_gather(const Instruction& instruction) {
    auto call = ::llvm::dyn_cast<::llvm::IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == ::llvm::Intrinsic::masked_gather;
}

bool has_gather(const ::llvm::Function& f) { return std::any_of(inst_begin(f), inst_end(f), is_gather); }

} // namespace

/// Looks for loops that want gathers before they are vectorized.
class PreparesGathers : public ::llvm::PassInfoMixin<PreparesGathers> {
public:
    explicit PreparesGathers(Gathers& gathers)
        : gathers_(&gathers) {}

    ::llvm::PreservedAnalyses run(::llvm::Function& f, ::llvm::FunctionAnalysisManager& analyses) {
        gathers_->prepare(f, analyses);
        return ::llvm::PreservedAnalyses::all();
    }

private:
    Gathers* gathers_;
};

Gathers::Gathers(::llvm::PassBuilder& builder, ::llvm::PassInstrumentationCallbacks& callbacks,
                 const ::llvm::TargetMachine& target) {
    constexpr ::llvm::StringRef none = "+prefer-no-gather";
    auto known                       = target.getTargetFeatureString();
    if (!known.contains(none)) return;
    features_ = (known + ",-prefer-no-gather").str();

    auto combined = [](::llvm::StringRef pass, const ::llvm::Any& unit) -> ::llvm::Function* {
        auto f = ::llvm::any_cast<const ::llvm::Function*>(&unit);
        return pass == "SLPVectorizerPass" && f ? const_cast<::llvm::Function*>(*f) : nullptr;
    };
    builder.registerVectorizerStartEPCallback([this](auto& passes, auto) { passes.addPass(PreparesGathers(*this)); });
    callbacks.registerBeforeNonSkippedPassCallback([=, this](::llvm::StringRef pass, const ::llvm::Any& unit) {
        if (auto f = combined(pass, unit); f && f->hasFnAttribute(attribute)) forbid(*f);
    });
    callbacks.registerAfterPassCallback(
        [=, this](::llvm::StringRef pass, const ::llvm::Any& unit, const ::llvm::PreservedAnalyses&) {
            if (auto f = combined(pass, unit); f && has_gather(*f)) allow(*f);
        });
}

void Gathers::prepare(::llvm::Function& f, ::llvm::FunctionAnalysisManager& analyses) {
    analyses_  = &analyses;
    auto loops = analyses.getResult<::llvm::LoopAnalysis>(f).getLoopsInPreorder();
    if (std::any_of(loops.begin(), loops.end(), wants_gathers)) allow(f);
}

void Gathers::allow(::llvm::Function& f) {
    f.addFnAttr(attribute, features_);
    analyses_->clear(f, f.getName());
}

void Gathers::forbid(::llvm::Function& f) {
    f.removeFnAttr(attribute);
    analyses_->clear(f, f.getName());
}

} // namespace mim::backend::llvm
