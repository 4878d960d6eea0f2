// SPDX-License-Identifier: MIT
// See tail_calls.h.
#include "backend/llvm/tail_calls.h"

#include <algorithm>
#include <unordered_set>

#include "backend/llvm/attributes.h"

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

    /// The library of --checked asks about a pointer; other functions are marked.
    static bool forgets(LLVMValueRef fn) {
        if (LLVMGetIntrinsicID(fn)) return true;
        size_t size;
        auto text = LLVMGetValueName2(fn, &size);
        std::string_view name(text, size);
        return name.starts_with("mim_memory_")
               || LLVMGetStringAttributeAtIndex(fn, LLVMAttributeFunctionIndex, kForgets.data(), kForgets.size());
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

/// The function calls itself, and that becomes a jump to its first block.
static void jump_instead(CodeBuilder& build, Body& body, const TailCall& tail) {
    auto& phis     = body.phis[0];
    unsigned first = body.sig.by_memory ? 1 : 0;
    auto from      = LLVMGetInstructionParent(tail.call);
    for (size_t i = 0; i != phis.size(); ++i) {
        auto arg = LLVMGetOperand(tail.call, first + unsigned(i));
        LLVMAddIncoming(phis[i], &arg, &from, 1);
    }
    LLVMInstructionEraseFromParent(tail.ret);
    LLVMPositionBuilderAtEnd(build.ref(), from);
    LLVMBuildBr(build.ref(), body.blocks[0]);
    LLVMInstructionEraseFromParent(tail.call);
}

/// LLVM must not make loops of other recursion in such a function: it would put instructions between a guaranteed
/// tail call and its return.
static void guarantee(const Body& body, const TailCall& tail) {
    LLVMSetTailCallKind(tail.call, LLVMTailCallKindMustTail);
    add_text_attribute(body.llvm, "disable-tail-calls", "true");
}

void finish_tail_calls(CodeBuilder& build, Body& body, const std::vector<LLVMValueRef>& watched, bool has_memory) {
    Taint taint(body.entry, build.passing_slots(), watched);
    for (auto& tail : body.tail_calls) {
        if (taint.reaches(tail.call)) continue;
        bool may_jump = tail.is_self && watched.empty() && !has_memory; // what each activation has of its own
        if (may_jump) jump_instead(build, body, tail);
        else guarantee(body, tail);
    }
    for (auto& phi : body.phis[0]) {
        if (LLVMCountIncoming(phi) != 1) continue;
        LLVMReplaceAllUsesWith(phi, LLVMGetIncomingValue(phi, 0));
        LLVMInstructionEraseFromParent(phi);
    }
}

} // namespace mim::backend::llvm
