// SPDX-License-Identifier: MIT
// What --checked adds: where an operation would be undefined, the program writes the diagnostic that the evaluator would report, with
// the user's line, to standard error and aborts. Everything it needs is in the module, so an object file needs no library of ours.
#include <algorithm>

#include "analysis/snapshot.h"
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

/// Whether code for this target may call POSIX' `write`. Elsewhere there is a trap without a word.
static bool has_posix(std::string_view triple) {
    for (auto os : {"linux", "darwin", "macos", "bsd", "solaris", "android"})
        if (triple.find(os) != triple.npos) return true;
    return false;
}

static void add_attribute(LLVMContextRef ctx, LLVMValueRef fn, std::string_view name) {
    auto kind = LLVMGetEnumAttributeKindForName(name.data(), name.size());
    LLVMAddAttributeAtIndex(fn, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(ctx, kind, 0));
}

/// void (text, bytes), which never returns.
LLVMValueRef Emitter::undefined_function() {
    if (undefined_) return undefined_;
    LLVMTypeRef params[] = {unwrap(ptr_type(0)), LLVMInt64TypeInContext(ctx_)};
    undefined_ = LLVMAddFunction(module_, "mim.undefined", LLVMFunctionType(LLVMVoidTypeInContext(ctx_), params, 2, false));
    LLVMSetLinkage(undefined_, LLVMInternalLinkage);
    for (auto name : {"noreturn", "nounwind", "cold", "noinline"}) add_attribute(ctx_, undefined_, name);
    return undefined_;
}

void Emitter::trap_if(Value cond, const Def* at, std::string_view what) {
    if (!cond) return;
    auto c = unwrap(cond);
    if (LLVMIsAConstantInt(c) && !LLVMConstIntGetZExtValue(c)) return;
    Diagnostic diag{Diag::undefined_behaviour, Severity::Error, span_of(at), {undefined_text(what, at)}, {}};
    auto text = render_text(diags_.sources(), diag, false);
    auto fail = LLVMAppendBasicBlockInContext(ctx_, state_.llvm, "undefined");
    auto ok   = LLVMAppendBasicBlockInContext(ctx_, state_.llvm, "ok");
    LLVMBuildCondBr(builder_, c, fail, ok);
    LLVMPositionBuilderAtEnd(builder_, fail);
    LLVMValueRef args[] = {unwrap(bytes(text, 1)), unwrap(i64(text.size()))};
    auto fn             = undefined_function();
    LLVMBuildCall2(builder_, LLVMGlobalGetValueType(fn), fn, args, 2, "");
    LLVMBuildUnreachable(builder_);
    LLVMPositionBuilderAtEnd(builder_, ok);
}

/// C may read, write, allocate and free what it can reach.
void Emitter::others_at_work() {
    if (settings_.memory) Emit::call("mim_memory_unknown", {}, {}, OwnMemory);
}

Value Emitter::activation_memory(const Def* type) {
    auto t        = this->type(type);
    auto nonempty = t ? t : int_type(8); // memory without content still has an address of its own
    bool is_left  = program_->makes_closures() && !state_.fn->view.has_ret();
    if (is_left) return at_first_block([&] { return collected(unwrap(nonempty)); });
    return t && checks_memory() ? watched_slot(type) : alloca_(nonempty);
}

/// Emits code that runs once for each activation of the function.
Value Emitter::at_entry(const std::function<Value()>& emit) {
    std::swap(builder_, alloca_builder_);
    auto result = emit();
    std::swap(builder_, alloca_builder_);
    return result;
}

/// Emits code that runs once for each call of the function, also where it calls itself and that call is a jump to its first block.
Value Emitter::at_first_block(const std::function<Value()>& emit) {
    auto here  = LLVMGetInsertBlock(builder_);
    auto block = state_.blocks[0];
    auto next  = LLVMGetFirstInstruction(block);
    while (next && LLVMIsAPHINode(next)) next = LLVMGetNextInstruction(next);
    if (next) LLVMPositionBuilderBefore(builder_, next);
    else LLVMPositionBuilderAtEnd(builder_, block);
    auto result = emit();
    LLVMPositionBuilderAtEnd(builder_, here);
    return result;
}

Value Emitter::watched_slot(const Def* type) {
    auto t        = this->type(type);
    auto bytes    = i64(size_of(t));
    auto align    = std::max<uint64_t>(align_of(t), 16); // as the heap's, which is what the library counts in
    bool on_stack = program_->makes_closures() && may_hold_closures(type);
    auto slot     = at_entry([&] {
        if (!on_stack) return Emit::call("mim_memory_enter", ptr_type(0), {bytes, i64(align)}, OwnMemory);
        auto result = Value(LLVMBuildAlloca(builder_, unwrap(t), ""));
        LLVMSetAlignment(unwrap(result), unsigned(align));
        Emit::call("mim_memory_slot", {}, {result, bytes}, OwnMemory);
        return result;
    });
    state_.watched.push_back({unwrap(slot), unwrap(bytes), on_stack ? "mim_memory_end" : "mim_memory_leave"});
    return slot;
}

/// Before each return, and before the tail calls, which see none of the slots.
void Emitter::leave_slots() {
    if (state_.watched.empty()) return;
    for (auto block = state_.entry; block; block = LLVMGetNextBasicBlock(block)) {
        auto last = LLVMGetBasicBlockTerminator(block);
        if (!last || !LLVMIsAReturnInst(last)) continue;
        auto call    = LLVMGetPreviousInstruction(last);
        bool is_tail = call && LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
        LLVMPositionBuilderBefore(builder_, is_tail ? call : last);
        for (auto& slot : state_.watched) Emit::call(slot.leave, {}, {Value(slot.memory), Value(slot.bytes)}, OwnMemory);
    }
}

/// Whether this literal is part of a value that is there at run time: not of a type, nor of what an axiom takes before its operands.
static bool is_passed(const Snapshot& program, const Def* def) {
    return std::ranges::any_of(program.users(def), [&](const Def* user) {
        if (user->isa<Tuple>()) return is_passed(program, user);
        if (user->isa<Arr>() || user->isa<Sigma>() || user->isa<Pi>() || user->type()->isa<Sort>()) return false;
        return !head_axiom(user) || saturated_axiom(user);
    });
}

/// A size at run time is 2^64 only if the program passes this literal somewhere.
bool Emitter::may_be_2_64(const Def* size) {
    if (size->isa<Lit>()) return size == world_.lit_2_64();
    if (!passes_2_64_) passes_2_64_ = is_passed(Snapshot(world_), world_.lit_2_64());
    return *passes_2_64_;
}

/// Last of all, since the program itself may declare `write` or `abort`, and more precisely than here.
void Emitter::define_undefined() {
    if (!undefined_) return;
    LLVMPositionBuilderAtEnd(builder_, LLVMAppendBasicBlockInContext(ctx_, undefined_, "entry"));
    if (has_posix(settings_.triple)) {
        auto text = Value(LLVMGetParam(undefined_, 0)), size = Value(LLVMGetParam(undefined_, 1));
        Emit::call("write", int_type(64), {int_const(int_type(32), 2), text, size});
        Emit::call("abort", {}, {});
    } else {
        Emit::intrinsic("llvm.trap", {}, {});
    }
    LLVMBuildUnreachable(builder_);
}

} // namespace mim::backend::llvm
