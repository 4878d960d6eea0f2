// SPDX-License-Identifier: MIT
// See keep.h.
#include "backend/llvm/keep.h"

#include "backend/llvm/attributes.h"

namespace mim::backend::llvm {

LLVMValueRef ClosureKeeper::call_keep(Value value, Value at) {
    auto type           = build_.type_of(value);
    auto ptr            = unwrap(build_.ptr_type(0));
    auto size           = unwrap(build_.i64(build_.size_of(type)));
    LLVMTypeRef types[] = {ptr, ptr, LLVMTypeOf(size)};
    auto fn_type        = LLVMFunctionType(LLVMVoidTypeInContext(build_.context()), types, 3, false);
    auto& name          = ctx_.program.collector()->keep;
    auto fn             = LLVMGetNamedFunction(build_.module(), name.c_str());
    if (!fn) {
        fn = LLVMAddFunction(build_.module(), name.c_str(), fn_type);
        add_text_attribute(fn, kForgets, ""); // it asks what lies there
    }
    LLVMValueRef args[] = {unwrap(at), unwrap(spills_.spill(value)), size};
    return LLVMBuildCall2(build_.ref(), fn_type, fn, args, 3, "");
}

void ClosureKeeper::keep_closures(const Def* type, Value value, Value at) {
    if (!value || !ctx_.program.makes_closures() || LLVMIsConstant(unwrap(value)) || !heap_.may_hold_closures(type)) return;
    if (build_.type_of(at) == build_.ptr_type(0)) calls_.push_back(call_keep(value, at));
}

static bool is_pointer(const Def* type) {
    auto axm = saturated_axiom(type);
    return axm && axm->axiom().has(Axiom::Pointer);
}

/// Null is nobody's memory. Only a closure itself is hidden by a cast, not what a pointer points to.
void ClosureKeeper::reinterpreted(const Def* from, const Def* to, Value value) {
    if (!ctx_.program.makes_closures() || LLVMIsConstant(unwrap(value))) return;
    if (heap_.may_hold_closures(to)) has_unknown_memory_ = true;
    else if (!is_pointer(from) && heap_.may_hold_closures(from)) call_keep(value, build_.zero(build_.ptr_type(0)));
}

void ClosureKeeper::finish() {
    if (has_unknown_memory_) return;
    for (auto call : calls_) LLVMInstructionEraseFromParent(call);
}

} // namespace mim::backend::llvm
