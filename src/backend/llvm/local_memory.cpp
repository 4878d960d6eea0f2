// SPDX-License-Identifier: MIT
// A tuple that is loaded has its large arrays in memory of their own, since the memory that it comes from may change. Often
// only some of its elements are read, which LLVM finds out if that memory is on the stack: then it loads these alone.
//
// The address must not be merged with others or handed on. So each use of it comes after the call in the same turn of a loop, and
// the next turn may have the same place.
#include "backend/llvm/local_memory.h"

#include <optional>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/SROA.h>

namespace mim::backend::llvm {

namespace {

namespace ir = ::llvm;

constexpr uint64_t max_local_bytes  = 1024;
constexpr uint64_t max_bytes_in_all = 4096; // of a function
constexpr uint64_t alignment        = 16;

using Accesses = ir::SmallVector<ir::Instruction*, 8>;

/// The number of bytes of small memory from the collector; 0 of anything else.
uint64_t collected_bytes(const ir::CallInst& call) {
    bool is_collected = call.hasFnAttr(collected_memory) && call.arg_size() == 1;
    auto bytes        = is_collected ? ir::dyn_cast<ir::ConstantInt>(call.getArgOperand(0)) : nullptr;
    return bytes && bytes->getValue().ule(max_local_bytes) ? bytes->getZExtValue() : 0;
}

/// Reads or writes there, and nothing else; the address is `pointer`.
bool is_access(const ir::Instruction& user, const ir::Value* pointer) {
    if (auto load = ir::dyn_cast<ir::LoadInst>(&user)) return !load->isVolatile();
    if (auto store = ir::dyn_cast<ir::StoreInst>(&user)) return !store->isVolatile() && store->getValueOperand() != pointer;
    auto memory = ir::dyn_cast<ir::MemIntrinsic>(&user);
    return memory && !memory->isVolatile();
}

/// All that reads or writes there; nothing if the address is merged with others, or goes elsewhere.
std::optional<Accesses> accesses_of(ir::CallInst& call) {
    Accesses result;
    ir::SmallVector<ir::Instruction*, 8> addresses{&call};
    while (!addresses.empty()) {
        auto address = addresses.pop_back_val();
        for (auto user : address->users()) {
            auto instruction = ir::cast<ir::Instruction>(user);
            bool is_address  = ir::isa<ir::GetElementPtrInst>(instruction);
            if (!is_address && !is_access(*instruction, address)) return {};
            (is_address ? addresses : result).push_back(instruction);
        }
    }
    return result;
}

/// A copy of memory may be marked as a call that knows nothing of the stack.
void put_on_stack(ir::CallInst& call, const Accesses& accesses) {
    for (auto access : accesses)
        if (auto copy = ir::dyn_cast<ir::CallInst>(access)) copy->setTailCallKind(ir::CallInst::TCK_None);
    auto& entry = call.getFunction()->getEntryBlock();
    auto type   = ir::ArrayType::get(ir::Type::getInt8Ty(call.getContext()), collected_bytes(call));
    auto place  = new ir::AllocaInst(type, 0, nullptr, ir::Align(alignment), "", entry.getFirstInsertionPt());
    call.replaceAllUsesWith(place);
    call.eraseFromParent();
}

class UsesLocalMemory : public ir::PassInfoMixin<UsesLocalMemory> {
public:
    ir::PreservedAnalyses run(ir::Function& f, ir::FunctionAnalysisManager& analyses) {
        ir::SmallVector<std::pair<ir::CallInst*, Accesses>, 8> calls;
        uint64_t in_all = 0;
        for (auto& instruction : ir::instructions(f)) {
            auto call  = ir::dyn_cast<ir::CallInst>(&instruction);
            auto bytes = call ? collected_bytes(*call) : 0;
            if (bytes == 0 || in_all + bytes > max_bytes_in_all) continue;
            auto accesses = accesses_of(*call);
            if (!accesses) continue;
            in_all += bytes;
            calls.emplace_back(call, std::move(*accesses));
        }
        if (calls.empty()) return ir::PreservedAnalyses::all();
        for (auto& [call, accesses] : calls) put_on_stack(*call, accesses);
        analyses.invalidate(f, ir::PreservedAnalyses::none());
        ir::SROAPass(ir::SROAOptions::ModifyCFG).run(f, analyses);
        return ir::PreservedAnalyses::none();
    }
};

} // namespace

void use_local_memory(ir::PassBuilder& builder) {
    builder.registerPeepholeEPCallback([](ir::FunctionPassManager& passes, auto) { passes.addPass(UsesLocalMemory()); });
}

} // namespace mim::backend::llvm
