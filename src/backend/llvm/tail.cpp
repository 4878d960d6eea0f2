// SPDX-License-Identifier: MIT
// Which calls before a return are tail calls. A call that may receive a pointer into the caller's slots must keep the caller's frame,
// so pointers that derive from slots are followed through the finished function: through arithmetic, selections, aggregates, phis,
// calls that got one, and memory as a whole once one is stored. Calls of the function to itself become jumps.
#include <algorithm>
#include <unordered_set>

#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

namespace {

class Taint {
public:
    Taint(LLVMBasicBlockRef entry, const std::vector<LLVMValueRef>& hidden, const std::vector<LLVMValueRef>& slots) {
        for (auto slot : slots) add(slot);
        for (auto block = entry; block; block = LLVMGetNextBasicBlock(block))
            for (auto i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
                if (LLVMIsAAllocaInst(i) && std::find(hidden.begin(), hidden.end(), i) == hidden.end()) add(i);
        while (!todo_.empty()) {
            auto v = todo_.back();
            todo_.pop_back();
            for (auto use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) follow(v, LLVMGetUser(use));
        }
    }

    /// Whether the call may see a slot.
    bool reaches(LLVMValueRef call) {
        for (unsigned i = 0, n = LLVMGetNumArgOperands(call); i != n; ++i) {
            auto arg = LLVMGetOperand(call, i);
            if (tainted_.contains(arg)) return true;
            if (memory_ && !LLVMIsConstant(arg) && has_pointer(LLVMTypeOf(arg))) return true;
        }
        return false;
    }

private:
    void add(LLVMValueRef v) {
        if (tainted_.insert(v).second) todo_.push_back(v);
    }

    void follow(LLVMValueRef v, LLVMValueRef user) {
        switch (LLVMGetInstructionOpcode(user)) {
            case LLVMLoad:
            case LLVMICmp:
            case LLVMRet: break;
            case LLVMStore:
                if (LLVMGetOperand(user, 0) == v) memory_ = true;
                break;
            case LLVMCall:
                // intrinsics on memory end with the call; anything else may keep the pointer or give it back
                if (auto fn = LLVMIsAFunction(LLVMGetCalledValue(user)); fn && forgets(fn)) {
                    if (LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMVoidTypeKind) add(user);
                    break;
                }
                memory_ = true;
                if (LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMVoidTypeKind) add(user);
                break;
            default: add(user);
        }
    }

    /// The library of --checked asks about a pointer, and the collector's keeps what lies there.
    static bool forgets(LLVMValueRef fn) {
        if (LLVMGetIntrinsicID(fn)) return true;
        size_t size;
        auto text = LLVMGetValueName2(fn, &size);
        std::string_view name(text, size);
        return name.starts_with("mim_memory_") || name == "mim_collect_keep";
    }

    bool has_pointer(LLVMTypeRef t) {
        switch (LLVMGetTypeKind(t)) {
            case LLVMPointerTypeKind: return true;
            case LLVMArrayTypeKind:
            case LLVMVectorTypeKind: return has_pointer(LLVMGetElementType(t));
            case LLVMStructTypeKind:
                for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n; ++i)
                    if (has_pointer(LLVMStructGetTypeAtIndex(t, i))) return true;
                return false;
            default: return false;
        }
    }

    std::unordered_set<LLVMValueRef> tainted_;
    std::vector<LLVMValueRef> todo_;
    bool memory_ = false; ///< a slot's address was stored or given away
};

} // namespace

/// LLVM must not make loops of other recursion in this function: it would put instructions between a guaranteed tail call and its return.
void Emitter::keep_recursion() {
    static constexpr std::string_view name = "disable-tail-calls";
    auto attribute                         = LLVMCreateStringAttribute(ctx_, name.data(), unsigned(name.size()), "true", 4);
    LLVMAddAttributeAtIndex(state_.llvm, LLVMAttributeFunctionIndex, attribute);
}

void Emitter::finish_tail_calls() {
    std::vector<LLVMValueRef> slots;
    for (auto& slot : state_.watched) slots.push_back(slot.memory);
    Taint taint(state_.entry, state_.hidden, slots);
    auto header    = state_.blocks[0];
    auto& phis     = state_.phis[0];
    unsigned first = state_.sig.by_memory ? 1 : 0;
    for (auto& [call, ret, is_self] : state_.tail_calls) {
        if (taint.reaches(call)) continue;
        if (!is_self || !slots.empty()) { // each activation has slots of its own that are watched
            LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
            keep_recursion();
            continue;
        }
        auto from = LLVMGetInstructionParent(call);
        for (size_t i = 0; i != phis.size(); ++i) {
            auto arg = LLVMGetOperand(call, first + unsigned(i));
            LLVMAddIncoming(phis[i], &arg, &from, 1);
        }
        LLVMInstructionEraseFromParent(ret);
        LLVMPositionBuilderAtEnd(builder_, from);
        LLVMBuildBr(builder_, header);
        LLVMInstructionEraseFromParent(call);
    }
    for (auto& phi : phis) {
        if (LLVMCountIncoming(phi) != 1) continue;
        LLVMReplaceAllUsesWith(phi, LLVMGetIncomingValue(phi, 0));
        LLVMInstructionEraseFromParent(phi);
    }
}

} // namespace mim::backend::llvm
