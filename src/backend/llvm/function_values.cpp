// SPDX-License-Identifier: MIT
// See function_values.h.
#include "backend/llvm/function_values.h"

namespace mim::backend::llvm {

LLVMValueRef FunctionValues::of(const Lam* lam) {
    if (!is_closed(ctx_.world, lam)) ctx_.reports.fail_here(Diag::needs_closure, {ctx_.reports.name_of(lam)});
    if (!lam->is_cn()) {
        ctx_.reports.direct_style_left(lam, ctx_.frame.place);
        throw Failed();
    }
    if (ctx_.c_types.contains(lam->type())) return entries_.callback(lam);
    return internal(value_calls_.of(lam, functions_.of(lam)), value_calls_.signature(lam));
}

LLVMValueRef FunctionValues::of(const Axm* axm) {
    auto view = signatures_.view_of(axm);
    if (!ctx_.c_types.contains(axm->type()))
        return internal(value_calls_.of(axm, entries_.thunk(axm)), value_calls_.signature(axm));
    return c_calls_.import(axm, c_signatures_.of(view, ctx_.frame.place, axm->axiom().name.view()));
}

/// A function without variables as a value: its address, or a constant record where function values are closures.
LLVMValueRef FunctionValues::internal(LLVMValueRef fn, const Signature& sig) {
    if (!ctx_.program.makes_closures()) return fn;
    auto& record = records_[fn];
    if (record) return record;
    auto code = closure_code(build_.module(), sig, sig.type, fn, {});
    record    = LLVMAddGlobal(build_.module(), unwrap(build_.ptr_type(0)), "mim.closure");
    LLVMSetInitializer(record, code);
    LLVMSetGlobalConstant(record, true);
    LLVMSetLinkage(record, LLVMPrivateLinkage);
    return record;
}

std::pair<LLVMValueRef, LLVMTypeRef> FunctionValues::callee(LLVMValueRef value, const Signature& sig,
                                                            std::vector<LLVMValueRef>& args) {
    if (!ctx_.program.makes_closures()) return {value, sig.type};
    return {code_of(build_.ref(), value, args), with_closure(sig)};
}

} // namespace mim::backend::llvm
