// SPDX-License-Identifier: MIT
// See checks.h.
#include "backend/llvm/checks.h"

#include <algorithm>

#include "analysis/snapshot.h"
#include "backend/llvm/attributes.h"

namespace mim::backend::llvm {

/// Whether code for this target may call POSIX' `write`. Elsewhere there is a trap without a word.
static bool has_posix(std::string_view triple) {
    for (auto os : {"linux", "darwin", "macos", "bsd", "solaris", "android"})
        if (triple.find(os) != triple.npos) return true;
    return false;
}

/// void (text, bytes), which never returns.
LLVMValueRef Checks::report_function() {
    if (report_) return report_;
    LLVMTypeRef params[] = {unwrap(build_.ptr_type(0)), LLVMInt64TypeInContext(build_.context())};
    auto type            = LLVMFunctionType(LLVMVoidTypeInContext(build_.context()), params, 2, false);
    report_              = LLVMAddFunction(build_.module(), "mim.undefined", type);
    LLVMSetLinkage(report_, LLVMInternalLinkage);
    for (auto name : {"noreturn", "nounwind", "cold", "noinline"}) add_attribute(report_, LLVMAttributeFunctionIndex, name);
    return report_;
}

void Checks::trap_if(Value cond, const Def* at, std::string_view what) {
    if (!cond) return;
    auto c = unwrap(cond);
    if (LLVMIsAConstantInt(c) && !LLVMConstIntGetZExtValue(c)) return;
    auto text = ctx_.reports.undefined(at, what);
    auto fail = LLVMAppendBasicBlockInContext(build_.context(), build_.function(), "undefined");
    auto ok   = LLVMAppendBasicBlockInContext(build_.context(), build_.function(), "ok");
    LLVMBuildCondBr(build_.ref(), c, fail, ok);
    LLVMPositionBuilderAtEnd(build_.ref(), fail);
    LLVMValueRef args[] = {unwrap(build_.bytes(text, 1)), unwrap(build_.i64(text.size()))};
    auto fn             = report_function();
    LLVMBuildCall2(build_.ref(), LLVMGlobalGetValueType(fn), fn, args, 2, "");
    LLVMBuildUnreachable(build_.ref());
    LLVMPositionBuilderAtEnd(build_.ref(), ok);
}

/// Whether this literal is part of a value that is there at run time: not of a type, nor of what an axiom takes
/// before its operands.
static bool is_passed(const Snapshot& program, const Def* def) {
    return std::ranges::any_of(program.users(def), [&](const Def* user) {
        if (user->isa<Tuple>()) return is_passed(program, user);
        if (user->isa<Arr>() || user->isa<Sigma>() || user->isa<Pi>() || user->type()->isa<Sort>()) return false;
        return !head_axiom(user) || saturated_axiom(user);
    });
}

/// A size at run time is 2^64 only if the program passes this literal somewhere.
bool Checks::may_be_2_64(const Def* size) {
    if (size->isa<Lit>()) return size == ctx_.world.lit_2_64();
    if (!passes_2_64_) passes_2_64_ = is_passed(Snapshot(ctx_.world), ctx_.world.lit_2_64());
    return *passes_2_64_;
}

void Checks::finish() {
    if (!report_) return;
    LLVMPositionBuilderAtEnd(build_.ref(), LLVMAppendBasicBlockInContext(build_.context(), report_, "entry"));
    if (has_posix(build_.settings().triple)) {
        auto text = Value(LLVMGetParam(report_, 0));
        auto size = Value(LLVMGetParam(report_, 1));
        build_.call("write", build_.int_type(64), {build_.int_const(build_.int_type(32), 2), text, size});
        build_.call("abort", {}, {});
    } else {
        build_.intrinsic("llvm.trap", {}, {});
    }
    LLVMBuildUnreachable(build_.ref());
}

} // namespace mim::backend::llvm
