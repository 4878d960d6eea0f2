// SPDX-License-Identifier: MIT
// Closures where the collector does not look. Memory that may hold closures comes from the collector (escaping.cpp), and function types of
// closures are none that C sees; so a pointer to other memory becomes one to closures by a cast only. If a program has such a cast,
// each of its stores of closures asks at run time whose memory it is, and keeps them if it is not the collector's.
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

LLVMValueRef Emitter::call_keep(Value value, Value at) {
    auto type           = type_of(value);
    auto ptr            = unwrap(ptr_type(0));
    auto size           = unwrap(i64(size_of(type)));
    LLVMTypeRef types[] = {ptr, ptr, LLVMTypeOf(size)};
    auto fn_type        = LLVMFunctionType(LLVMVoidTypeInContext(ctx_), types, 3, false);
    auto name           = "mim_collect_keep";
    auto fn             = LLVMGetNamedFunction(module_, name);
    if (!fn) fn = LLVMAddFunction(module_, name, fn_type);
    LLVMValueRef args[] = {unwrap(at), unwrap(spill(value)), size};
    return LLVMBuildCall2(builder_, fn_type, fn, args, 3, "");
}

void Emitter::keep_closures(const Def* type, Value value, Value at) {
    if (!value || !program_->makes_closures() || LLVMIsConstant(unwrap(value)) || !may_hold_closures(type)) return;
    if (type_of(at) == ptr_type(0)) keep_calls_.push_back(call_keep(value, at));
}

static bool is_pointer(const Def* type) {
    auto axm = saturated_axiom(type);
    return axm && axm->axiom().has(Axiom::Pointer);
}

/// Null is nobody's memory. Only a closure itself is hidden by a cast, not what a pointer points to.
void Emitter::reinterpreted(const Def* from, const Def* to, Value value) {
    if (!program_->makes_closures() || LLVMIsConstant(unwrap(value))) return;
    if (may_hold_closures(to)) has_unknown_memory_ = true;
    else if (!is_pointer(from) && may_hold_closures(from)) call_keep(value, zero(ptr_type(0)));
}

/// In a program without such casts the collector looks into all memory that closures are stored in.
void Emitter::end_keeping() {
    if (has_unknown_memory_) return;
    for (auto call : keep_calls_) LLVMInstructionEraseFromParent(call);
}

} // namespace mim::backend::llvm
