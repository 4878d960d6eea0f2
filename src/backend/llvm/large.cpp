// SPDX-License-Identifier: MIT
// See large.h. Each large value gets a slot, which holds it from where it is evaluated until it is evaluated again; in SSA form nobody asks
// for it after that but phis, which copy it first. Updates share the slot of what they update if that is their last use in the same block,
// so that a chain of them, or one around a loop, copies nothing. Operations that are not known here get the value loaded.
#include "backend/llvm/large.h"

#include <llvm-c/DebugInfo.h>

#include <algorithm>
#include <vector>

#include "backend/llvm/constants.h"
#include "base/domtree.h"

namespace mim::backend::llvm {

namespace {

class Spiller {
public:
    Spiller(LLVMValueRef fn, LLVMTargetDataRef data, const Places& places)
        : fn_(fn)
        , data_(data)
        , places_(places)
        , module_(LLVMGetGlobalParent(fn))
        , ctx_(LLVMGetModuleContext(module_))
        , builder_(LLVMCreateBuilderInContext(ctx_)) {}
    ~Spiller() { LLVMDisposeBuilder(builder_); }

    void run() {
        collect();
        if (made_.empty() && users_.empty()) return;
        for (auto param : params_) spill_param(param);
        for (auto v : made_) slots_[v] = find_slot(v);
        find_direct();
        for (auto v : made_)
            if (LLVMIsAPHINode(v)) begin_phi(v);
        for (auto v : users_) rewrite(v);
        for (auto v : made_)
            if (LLVMIsAPHINode(v)) end_phi(v);
        erase();
    }

private:
    bool is_large(LLVMTypeRef t) {
        auto kind = LLVMGetTypeKind(t);
        if (kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind) return false;
        auto [i, fresh] = large_.try_emplace(t, false);
        if (fresh) i->second = num_scalars(data_, t, max_scalars + 1) > max_scalars;
        return i->second;
    }
    /// A large value that is in a slot.
    bool is_held(LLVMValueRef v) { return is_large(LLVMTypeOf(v)) && !LLVMIsConstant(v); }
    static bool is_volatile(LLVMValueRef v) { return (LLVMIsALoadInst(v) || LLVMIsAStoreInst(v)) && LLVMGetVolatile(v); }

    void collect() {
        for (auto p = LLVMGetFirstParam(fn_); p; p = LLVMGetNextParam(p))
            if (is_large(LLVMTypeOf(p))) params_.push_back(p);
        for (auto b = LLVMGetFirstBasicBlock(fn_); b; b = LLVMGetNextBasicBlock(b)) {
            for (auto i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                order_.emplace(i, order_.size());
                bool uses = false;
                for (int k = 0, n = LLVMGetNumOperands(i); k != n; ++k) {
                    auto op = LLVMGetOperand(i, unsigned(k));
                    uses    = uses || (!LLVMIsABasicBlock(op) && is_large(LLVMTypeOf(op)));
                }
                bool makes = is_large(LLVMTypeOf(i));
                if (makes) made_.push_back(i);
                if ((makes || uses) && !LLVMIsAPHINode(i)) users_.push_back(i);
            }
        }
        // phis first: what is updated in place is in the same block
        std::stable_partition(made_.begin(), made_.end(), [](auto v) { return LLVMIsAPHINode(v) != nullptr; });
    }

    /// LLVM does not take a volatile access apart. The scalars of a parameter would become thousands of accesses, of which the vectorizer and
    /// the scheduler compare each with each.
    static LLVMValueRef keep_whole(LLVMValueRef access) {
        LLVMSetVolatile(access, true);
        return access;
    }

    // --- slots ---

    LLVMValueRef new_slot(LLVMTypeRef t) {
        auto entry = LLVMGetFirstBasicBlock(fn_);
        LLVMPositionBuilderBefore(builder_, LLVMGetFirstInstruction(entry));
        return LLVMBuildAlloca(builder_, t, "");
    }

    void spill_param(LLVMValueRef param) {
        auto slot = new_slot(LLVMTypeOf(param));
        LLVMPositionBuilderBefore(builder_, LLVMGetBasicBlockTerminator(LLVMGetFirstBasicBlock(fn_)));
        keep_whole(LLVMBuildStore(builder_, param, slot));
        slots_[param] = slot;
    }

    LLVMValueRef find_slot(LLVMValueRef v) {
        if (LLVMIsAInsertValueInst(v)) {
            auto agg = LLVMGetOperand(v, 0);
            if (is_last_use(agg, v)) return slots_[agg];
        } else if (auto home = places_.homes.find(v); home != places_.homes.end() && !is_volatile(v)) {
            homes_.insert(v);
            auto stored = whole_store(home->second, LLVMTypeOf(v));
            if (!stored || !is_last_use(LLVMGetOperand(stored, 0), stored)) return home->second;
            auto slot = slots_[LLVMGetOperand(stored, 0)];
            LLVMReplaceAllUsesWith(home->second, slot);
            return slot;
        }
        return new_slot(LLVMTypeOf(v));
    }

    /// The store of a whole value of type `t` to this memory, if there is just one.
    LLVMValueRef whole_store(LLVMValueRef memory, LLVMTypeRef t) {
        LLVMValueRef found = nullptr;
        for (auto use = LLVMGetFirstUse(memory); use; use = LLVMGetNextUse(use)) {
            auto user = LLVMGetUser(use);
            if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != memory || LLVMTypeOf(LLVMGetOperand(user, 0)) != t)
                continue;
            if (found) return nullptr;
            found = user;
        }
        return found;
    }

    /// Whether `user` is the last to ask for the held value, all of whose uses are in its block, and it is evaluated as often as that.
    bool is_last_use(LLVMValueRef value, LLVMValueRef user) {
        if (LLVMIsConstant(value) || !LLVMIsAInstruction(value)) return false;
        auto block = LLVMGetInstructionParent(user);
        if (LLVMGetInstructionParent(value) != block) return false;
        for (auto use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
            auto other = LLVMGetUser(use);
            if (!LLVMIsAInstruction(other) || LLVMIsAPHINode(other) || LLVMGetInstructionParent(other) != block) return false;
            if (order_.at(other) > order_.at(user)) return false;
        }
        return true;
    }

    // --- copies ---

    LLVMValueRef size_of(LLVMTypeRef t) { return LLVMConstInt(LLVMInt64TypeInContext(ctx_), LLVMABISizeOfType(data_, t), false); }
    unsigned align_of(LLVMTypeRef t) { return LLVMABIAlignmentOfType(data_, t); }

    /// Where a large value lies.
    LLVMValueRef place_of(LLVMValueRef v) {
        if (!LLVMIsConstant(v)) return slots_.at(v);
        auto& global = constants_[v];
        if (global) return global;
        global = constant_global(module_, v, "constant");
        return global;
    }

    void copy(LLVMValueRef to, unsigned align, LLVMValueRef from, unsigned from_align, LLVMTypeRef t) {
        if (to != from) LLVMBuildMemCpy(builder_, to, align, from, from_align, size_of(t));
    }

    void write(LLVMValueRef to, unsigned align, LLVMValueRef v) {
        auto t = LLVMTypeOf(v);
        if (!is_large(t)) LLVMSetAlignment(LLVMBuildStore(builder_, v, to), align);
        else if (LLVMIsUndef(v)) return;
        else if (LLVMIsConstant(v) && LLVMIsNull(v))
            LLVMBuildMemSet(builder_, to, LLVMConstInt(LLVMInt8TypeInContext(ctx_), 0, false), size_of(t), align);
        else copy(to, align, place_of(v), align_of(t), t);
    }
    void write(LLVMValueRef to, LLVMValueRef v) { write(to, align_of(LLVMTypeOf(v)), v); }

    /// The part of an aggregate that an extractvalue or insertvalue names.
    LLVMValueRef part(LLVMTypeRef t, LLVMValueRef place, LLVMValueRef inst) {
        auto i32 = LLVMInt32TypeInContext(ctx_);
        std::vector<LLVMValueRef> path{LLVMConstInt(i32, 0, false)};
        auto indices = LLVMGetIndices(inst);
        for (unsigned k = 0; k != LLVMGetNumIndices(inst); ++k) path.push_back(LLVMConstInt(i32, indices[k], false));
        return LLVMBuildInBoundsGEP2(builder_, t, place, path.data(), unsigned(path.size()), "");
    }

    // --- phis ---

    /// A phi needs no place between the ends of the blocks before it and its own if nobody asks for its old value when a new one comes:
    /// then the new one lies in the slot already, or control comes from where the phi is not known.
    void find_direct() {
        std::unordered_map<LLVMBasicBlockRef, uint32_t> number;
        std::vector<LLVMBasicBlockRef> order;
        std::vector<std::pair<LLVMBasicBlockRef, unsigned>> stack{{LLVMGetFirstBasicBlock(fn_), 0}};
        number[stack[0].first];
        while (!stack.empty()) {
            auto [block, next] = stack.back();
            auto end           = LLVMGetBasicBlockTerminator(block);
            if (!end || next == LLVMGetNumSuccessors(end)) {
                order.push_back(block);
                stack.pop_back();
                continue;
            }
            ++stack.back().second;
            auto succ = LLVMGetSuccessor(end, next);
            if (number.try_emplace(succ).second) stack.emplace_back(succ, 0);
        }
        std::reverse(order.begin(), order.end());
        for (uint32_t i = 0; i != order.size(); ++i) number[order[i]] = i;
        std::vector<std::vector<uint32_t>> preds(order.size());
        for (auto block : order) {
            auto end = LLVMGetBasicBlockTerminator(block);
            for (unsigned k = 0; end && k != LLVMGetNumSuccessors(end); ++k)
                preds[number[LLVMGetSuccessor(end, k)]].push_back(number[block]);
        }
        DomTree doms(preds);
        for (auto phi : made_) {
            if (!LLVMIsAPHINode(phi)) break;
            auto here   = number.find(LLVMGetInstructionParent(phi));
            bool direct = here != number.end();
            for (unsigned k = 0; direct && k != LLVMCountIncoming(phi); ++k) {
                auto value = LLVMGetIncomingValue(phi, k);
                auto from  = number.find(LLVMGetIncomingBlock(phi, k));
                bool same  = !LLVMIsConstant(value) && slots_.at(value) == slots_.at(phi);
                direct     = same || from == number.end() || !doms.dominates(here->second, from->second);
            }
            arrivals_[phi] = direct ? slots_.at(phi) : new_slot(LLVMTypeOf(phi));
        }
    }

    void begin_phi(LLVMValueRef phi) {
        auto first = phi;
        while (LLVMIsAPHINode(first)) first = LLVMGetNextInstruction(first);
        LLVMPositionBuilderBefore(builder_, first);
        auto t = LLVMTypeOf(phi);
        copy(slots_.at(phi), align_of(t), arrivals_.at(phi), align_of(t), t);
    }

    void end_phi(LLVMValueRef phi) {
        std::unordered_set<LLVMBasicBlockRef> done;
        for (unsigned k = 0; k != LLVMCountIncoming(phi); ++k) {
            auto from = LLVMGetIncomingBlock(phi, k);
            if (!done.insert(from).second) continue;
            LLVMPositionBuilderBefore(builder_, LLVMGetBasicBlockTerminator(from));
            write(arrivals_.at(phi), LLVMGetIncomingValue(phi, k));
        }
    }

    // --- instructions ---

    void rewrite(LLVMValueRef inst) {
        LLVMPositionBuilderBefore(builder_, inst);
        LLVMSetCurrentDebugLocation2(builder_, LLVMInstructionGetDebugLoc(inst));
        if (is_volatile(inst)) return rewrite_other(inst);
        switch (LLVMGetInstructionOpcode(inst)) {
            case LLVMLoad: {
                auto t = LLVMTypeOf(inst);
                if (!homes_.contains(inst) && LLVMGetFirstUse(inst))
                    copy(slots_.at(inst), align_of(t), LLVMGetOperand(inst, 0), LLVMGetAlignment(inst), t);
                break;
            }
            case LLVMStore: return rewrite_store(inst);
            case LLVMExtractValue: return rewrite_extract(inst);
            case LLVMInsertValue: {
                auto slot = slots_.at(inst), agg = LLVMGetOperand(inst, 0);
                write(slot, agg);
                auto v  = LLVMGetOperand(inst, 1);
                auto to = part(LLVMTypeOf(inst), slot, inst);
                write(to, v);
                break;
            }
            case LLVMSelect: {
                auto t    = LLVMTypeOf(inst);
                auto from = LLVMBuildSelect(builder_, LLVMGetOperand(inst, 0), place_of(LLVMGetOperand(inst, 1)),
                                            place_of(LLVMGetOperand(inst, 2)), "");
                copy(slots_.at(inst), align_of(t), from, align_of(t), t);
                break;
            }
            default: rewrite_other(inst);
        }
    }

    void rewrite_store(LLVMValueRef inst) {
        auto v = LLVMGetOperand(inst, 0), to = LLVMGetOperand(inst, 1);
        if (LLVMIsConstant(v)) return;
        if (places_.views.contains(to)) LLVMReplaceAllUsesWith(to, slots_.at(v));
        else write(to, LLVMGetAlignment(inst), v);
        LLVMInstructionEraseFromParent(inst);
    }

    void rewrite_extract(LLVMValueRef inst) {
        auto agg = LLVMGetOperand(inst, 0);
        auto t   = LLVMTypeOf(inst);
        if (LLVMIsConstant(agg)) return rewrite_other(inst);
        auto from = part(LLVMTypeOf(agg), slots_.at(agg), inst);
        if (is_large(t)) return copy(slots_.at(inst), align_of(t), from, align_of(t), t);
        LLVMReplaceAllUsesWith(inst, LLVMBuildLoad2(builder_, t, from, ""));
        LLVMInstructionEraseFromParent(inst);
    }

    /// What is not known gets values and gives one.
    void rewrite_other(LLVMValueRef inst) {
        kept_.insert(inst);
        for (int k = 0, n = LLVMGetNumOperands(inst); k != n; ++k) {
            auto op = LLVMGetOperand(inst, unsigned(k));
            if (LLVMIsABasicBlock(op) || !is_held(op)) continue;
            auto value = keep_whole(LLVMBuildLoad2(builder_, LLVMTypeOf(op), slots_.at(op), ""));
            LLVMSetOperand(inst, unsigned(k), value);
        }
        if (!is_large(LLVMTypeOf(inst)) || !LLVMGetFirstUse(inst)) return;
        LLVMPositionBuilderBefore(builder_, LLVMGetNextInstruction(inst));
        keep_whole(LLVMBuildStore(builder_, inst, slots_.at(inst)));
    }

    /// Only they use each other now, and what is told to debuggers.
    void erase() {
        auto unused = places_.views;
        for (auto& [load, home] : places_.homes) unused.insert(home);
        for (auto v : made_)
            if (!kept_.contains(v)) LLVMReplaceAllUsesWith(v, LLVMGetPoison(LLVMTypeOf(v)));
        for (auto v : made_)
            if (!kept_.contains(v)) LLVMInstructionEraseFromParent(v);
        for (auto memory : unused)
            if (!LLVMGetFirstUse(memory)) LLVMInstructionEraseFromParent(memory);
    }

    LLVMValueRef fn_;
    LLVMTargetDataRef data_;
    const Places& places_;
    LLVMModuleRef module_;
    LLVMContextRef ctx_;
    LLVMBuilderRef builder_;
    std::unordered_map<LLVMTypeRef, bool> large_;
    std::unordered_map<LLVMValueRef, size_t> order_;       ///< of all instructions
    std::vector<LLVMValueRef> params_, made_, users_;      ///< large parameters, instructions that make and that use large values
    std::unordered_map<LLVMValueRef, LLVMValueRef> slots_; ///< by large value
    std::unordered_map<LLVMValueRef, LLVMValueRef> arrivals_;  ///< by phi: where the blocks before it put the value
    std::unordered_map<LLVMValueRef, LLVMValueRef> constants_; ///< globals
    std::unordered_set<LLVMValueRef> homes_;                   ///< loads of memory that is the slot
    std::unordered_set<LLVMValueRef> kept_;                    ///< instructions that stay
};

} // namespace

unsigned num_scalars(LLVMTargetDataRef data, LLVMTypeRef t, unsigned limit) {
    if (!t) return 0;
    switch (LLVMGetTypeKind(t)) {
        case LLVMStructTypeKind: {
            unsigned sum = 0;
            for (unsigned i = 0, n = LLVMCountStructElementTypes(t); i != n && sum < limit; ++i)
                sum += num_scalars(data, LLVMStructGetTypeAtIndex(t, i), limit);
            return sum;
        }
        case LLVMArrayTypeKind: {
            auto n = LLVMGetArrayLength2(t);
            return n > limit ? limit : std::min(limit, unsigned(n) * num_scalars(data, LLVMGetElementType(t), limit));
        }
        case LLVMVectorTypeKind: return unsigned(LLVMSizeOfTypeInBits(data, t) + 127) / 128;
        case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(t) > 64 ? 2 : 1;
        default: return 1;
    }
}

void bring_to_memory(LLVMValueRef function, LLVMTargetDataRef data, const Places& places) {
    Spiller(function, data, places).run();
}

} // namespace mim::backend::llvm
