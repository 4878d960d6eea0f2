// SPDX-License-Identifier: MIT
// LLVM inlines no function into itself. Where the body is a few instructions, as of a Fibonacci number or of queens on a board, a call costs
// more than what it computes, and writing some levels out halves the time. A function that has calls in tail position that are
// guaranteed is left alone, and so is one that is not small or has loops in loops, as a sort: its code would grow for little.
#include "backend/llvm/recursion.h"

#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace mim::backend::llvm {

namespace {

using namespace ::llvm;
using ::llvm::Function;
using ::llvm::SmallVector;

constexpr size_t kSmall  = 40;  // instructions of a function
constexpr size_t kLarge  = 450; // instructions of what becomes of it
constexpr int kMaxLevels = 6;

SmallVector<CallInst*> self_calls(Function& f) {
    SmallVector<CallInst*> calls;
    for (auto& i : instructions(f))
        if (auto call = dyn_cast<CallInst>(&i); call && call->getCalledFunction() == &f) calls.push_back(call);
    return calls;
}

bool has_tail_call(Function& f) {
    auto is_guaranteed = [](Instruction& i) { return isa<CallInst>(i) && cast<CallInst>(i).isMustTailCall(); };
    return any_of(instructions(f), is_guaranteed);
}

bool is_candidate(Function& f, FunctionAnalysisManager& functions) {
    bool is_fixed = f.isDeclaration() || f.hasOptNone() || f.hasOptSize() || f.hasFnAttribute(Attribute::NoInline);
    if (is_fixed || f.isInterposable() || f.getInstructionCount() > kSmall) return false;
    if (self_calls(f).empty() || has_tail_call(f)) return false;
    auto has_inner = [](Loop* loop) { return !loop->isInnermost(); };
    return none_of(functions.getResult<LoopAnalysis>(f), has_inner);
}

/// Writes out one level of calls: `body` is the function as it was.
bool expand_level(Function& f, Function& body) {
    bool has_changed = false;
    for (auto call : self_calls(f)) {
        InlineFunctionInfo info;
        call->setCalledFunction(&body);
        if (InlineFunction(*call, info).isSuccess()) has_changed = true;
        else call->setCalledFunction(&f);
    }
    return has_changed;
}

bool expand(Function& f) {
    ValueToValueMapTy values;
    auto body        = CloneFunction(&f, values);
    auto size        = f.getInstructionCount();
    bool has_changed = false;
    bool is_viable   = isInlineViable(*body).isSuccess();
    for (int level = 0; is_viable && level != kMaxLevels; ++level) {
        auto larger = f.getInstructionCount() + self_calls(f).size() * size;
        if (larger > kLarge || !expand_level(f, *body)) break;
        has_changed = true;
    }
    body->eraseFromParent();
    return has_changed;
}

class ExpandsRecursion : public PassInfoMixin<ExpandsRecursion> {
public:
    PreservedAnalyses run(Module& module, ModuleAnalysisManager& modules) {
        auto& functions = modules.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
        SmallVector<Function*> candidates;
        for (auto& f : module)
            if (is_candidate(f, functions)) candidates.push_back(&f);
        bool has_changed = false;
        for (auto f : candidates) {
            if (!expand(*f)) continue;
            has_changed = true;
            functions.invalidate(*f, PreservedAnalyses::none());
            tidy_.run(*f, functions);
        }
        return has_changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
    }

    ExpandsRecursion() {
        tidy_.addPass(SROAPass(SROAOptions::PreserveCFG));
        tidy_.addPass(EarlyCSEPass(true));
        tidy_.addPass(InstCombinePass());
        tidy_.addPass(SimplifyCFGPass());
    }

private:
    FunctionPassManager tidy_;
};

} // namespace

void expand_recursion(::llvm::PassBuilder& builder) {
    builder.registerOptimizerEarlyEPCallback([](::llvm::ModulePassManager& passes, ::llvm::OptimizationLevel level) {
        if (level.getSpeedupLevel() >= 2) passes.addPass(ExpandsRecursion());
    });
}

} // namespace mim::backend::llvm
