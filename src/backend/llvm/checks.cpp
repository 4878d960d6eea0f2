// SPDX-License-Identifier: MIT
// What --checked adds: where an operation would be undefined, the program writes the diagnostic that the evaluator would report, with
// the user's line, to standard error and aborts. Everything it needs is in the module, so an object file needs no library of ours.
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

void Emitter::call_at_entry(std::string_view name, Values args) {
    std::swap(builder_, alloca_builder_);
    call(name, {}, args, OwnMemory);
    std::swap(builder_, alloca_builder_);
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
