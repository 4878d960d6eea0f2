// SPDX-License-Identifier: MIT
// LLVM's pipeline, by its C++ interface: the C one cannot leave a pass out.
//
// `tailcc` lets the callee pop its arguments, and the caller pays for that at each call, so a function that takes no part in a
// guaranteed tail call has `fastcc` instead.
//
// Dead argument elimination (LLVM 14 to 19 at least) makes
// a function `void` whose result nobody uses, or drops elements of it, also if it ends in a `musttail` call of a function whose result is
// used elsewhere. That call has another type then, which is no tail call any more: LLVM gives up, and with it the whole process.
//
// Memory that is filled with zeros as soon as it is had comes from `calloc`. That is right for what is large; a few bytes the C
// library's `malloc` has at hand, and its `calloc` has not.
//
// The code generator makes one call of a sine and a cosine of the same number, if these are operations and not calls. The passes must
// not see operations: they would evaluate them, and round otherwise.
//
// For processors with AVX-512, LLVM 19 looks for bit operations that could happen in mask registers: for each operation of a
// block, it walks through all others. That finds little, and takes 12 s for a block of 20,000, and a third of the time where a function is a
// chain of a hundred stencils.
#include <algorithm>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "backend/llvm/gathers.h"
#include "backend/llvm/local_memory.h"
#include "backend/llvm/loop_vectors.h"
#include "backend/llvm/passes.h"
#include "backend/llvm/recursion.h"

namespace mim::backend::llvm {

namespace {

using namespace ::llvm;

bool is_tail_call(const User* user) { return isa<CallInst>(user) && cast<CallInst>(user)->isMustTailCall(); }

bool has_tail_call(Module& module) {
    return std::any_of(module.begin(), module.end(), [](Function& f) {
        return std::any_of(inst_begin(f), inst_end(f), [](Instruction& i) { return is_tail_call(&i); });
    });
}

/// Whether `f` makes no guaranteed tail call, is called by none, and all its callers are known.
bool can_be_fast(Function& f) {
    if (f.isDeclaration() || f.getCallingConv() != CallingConv::Tail || !f.hasLocalLinkage() || f.hasAddressTaken()) return false;
    return std::none_of(inst_begin(f), inst_end(f), [](Instruction& i) { return is_tail_call(&i); })
           && std::none_of(f.user_begin(), f.user_end(), is_tail_call);
}

void use_fastcc(Module& module) {
    for (auto& f : module) {
        if (!can_be_fast(f)) continue;
        f.setCallingConv(CallingConv::Fast);
        for (auto user : f.users()) cast<CallBase>(user)->setCallingConv(CallingConv::Fast);
    }
}

/// What glibc keeps at hand for each thread.
constexpr uint64_t max_small = 1024;

/// Whether a `calloc` is better a `malloc`. Nobody asks whether there was memory.
bool is_small(CallInst* call) {
    auto n = dyn_cast<ConstantInt>(call->getArgOperand(0)), size = dyn_cast<ConstantInt>(call->getArgOperand(1));
    if (!n || !size || !n->isOne() || size->getValue().ugt(max_small)) return false;
    return std::none_of(call->user_begin(), call->user_end(), [](User* u) { return isa<ICmpInst>(u); });
}

/// `calloc` is one that the passes made: the program itself does not call it.
void use_malloc(Module& module, Function* calloc) {
    std::vector<CallInst*> calls;
    for (auto user : calloc->users())
        if (auto call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == calloc) calls.push_back(call);
    for (auto call : calls) {
        if (!is_small(call)) continue;
        IRBuilder<> builder(call);
        auto bytes  = call->getArgOperand(1);
        auto malloc = module.getOrInsertFunction("malloc", call->getType(), bytes->getType());
        auto memory = builder.CreateCall(malloc, {bytes});
        builder.CreateMemSet(memory, builder.getInt8(0), bytes, MaybeAlign(call->getRetAlign()));
        call->replaceAllUsesWith(memory);
        call->eraseFromParent();
    }
    if (calloc->use_empty()) calloc->eraseFromParent();
}

void use_sincos(Module& module) {
    constexpr std::pair<const char*, Intrinsic::ID> names[] = {
        {"sin", Intrinsic::sin}, {"sinf", Intrinsic::sin}, {"cos", Intrinsic::cos}, {"cosf", Intrinsic::cos}};
    std::vector<std::pair<CallInst*, Intrinsic::ID>> calls;
    for (auto [name, id] : names)
        if (auto fn = module.getFunction(name))
            for (auto user : fn->users())
                if (auto call = dyn_cast<CallInst>(user); call && call->isNoBuiltin() && call->doesNotAccessMemory())
                    calls.emplace_back(call, id);
    for (auto [call, id] : calls) {
        IRBuilder<> builder(call);
        call->replaceAllUsesWith(builder.CreateUnaryIntrinsic(id, call->getArgOperand(0)));
        call->eraseFromParent();
    }
}

/// Leaves out a pass of the code generator.
class SkipsReassignment : public OptPassGate {
public:
    bool shouldRunPass(StringRef pass, StringRef) override { return pass != "X86 Domain Reassignment Pass"; }
    bool isEnabled() const override { return true; }
};

bool is_large(const Function& f) {
    constexpr size_t large_block = 2000, large = 8000; // instructions
    auto has_many = [](const BasicBlock& block) { return block.size() > large_block; };
    return f.getInstructionCount() > large || std::any_of(f.begin(), f.end(), has_many);
}

void skip_slow_passes(Module& module) {
    static SkipsReassignment gate;
    if (std::any_of(module.begin(), module.end(), is_large)) module.getContext().setOptPassGate(gate);
}

OptimizationLevel level_of(unsigned opt) {
    const OptimizationLevel levels[] = {OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
                                        OptimizationLevel::O3};
    return levels[std::min(opt, 3u)];
}

/// What is called once, or hardly more than its call.
void inline_calls(Module& module) {
    constexpr unsigned small = 20; // instructions
    for (auto& f : module) {
        if (f.isDeclaration() || !f.hasLocalLinkage()) continue;
        bool once = f.hasOneUse() && isa<CallBase>(f.user_back());
        if (once || f.getInstructionCount() <= small) f.addFnAttr(Attribute::AlwaysInline);
    }
}

/// The program was optimized before: what is left is mostly arithmetic in a few instructions more than it needs.
ModulePassManager quick_passes() {
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass(false));
    FunctionPassManager functions;
    functions.addPass(SROAPass(SROAOptions::PreserveCFG));
    functions.addPass(EarlyCSEPass());
    functions.addPass(InstCombinePass(InstCombineOptions().setMaxIterations(1)));
    functions.addPass(SimplifyCFGPass());
    functions.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass())); // one branch for a round, not two
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
    return passes;
}

} // namespace

std::set<std::string, std::less<>> features(LLVMTargetMachineRef target) {
    std::set<std::string, std::less<>> result;
    for (auto& feature : reinterpret_cast<TargetMachine*>(target)->getMCSubtargetInfo()->getEnabledProcessorFeatures())
        result.emplace(feature.Key);
    return result;
}

bool is_library_function(LLVMValueRef function) {
    auto& f = *cast<Function>(unwrap(function));
    TargetLibraryInfoImpl all(Triple(f.getParent()->getTargetTriple()));
    LibFunc known;
    return TargetLibraryInfo(all).getLibFunc(f, known);
}

void run_passes(LLVMModuleRef ref, LLVMTargetMachineRef target, unsigned opt, bool quick) {
    auto& module = *unwrap(ref);
    use_fastcc(module);
    if (quick) inline_calls(module);
    PipelineTuningOptions tuning;
    tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopUnrolling = opt >= 2;

    PassInstrumentationCallbacks callbacks;
    if (has_tail_call(module))
        callbacks.registerShouldRunOptionalPassCallback(
            [](StringRef pass, const Any&) { return pass != "DeadArgumentEliminationPass"; });
    PassBuilder builder(reinterpret_cast<TargetMachine*>(target), tuning, std::nullopt, &callbacks);
    LoopVectors vectors(builder, callbacks);
    Gathers gathers(builder, callbacks, *reinterpret_cast<TargetMachine*>(target));
    use_local_memory(builder);
    expand_recursion(builder);
    LoopAnalysisManager loops;
    FunctionAnalysisManager functions;
    CGSCCAnalysisManager components;
    ModuleAnalysisManager modules;
    builder.registerLoopAnalyses(loops);
    builder.registerFunctionAnalyses(functions);
    builder.registerCGSCCAnalyses(components);
    builder.registerModuleAnalyses(modules);
    builder.crossRegisterProxies(loops, functions, components, modules);
    auto level      = level_of(opt);
    auto passes     = quick      ? quick_passes()
                      : opt == 0 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
    bool has_calloc = module.getFunction("calloc");
    passes.run(module, modules);
    if (auto calloc = module.getFunction("calloc"); calloc && !has_calloc) use_malloc(module, calloc);
    if (opt == 0) return;
    use_sincos(module);
    skip_slow_passes(module);
}

} // namespace mim::backend::llvm
