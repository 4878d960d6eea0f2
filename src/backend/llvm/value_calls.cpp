// SPDX-License-Identifier: MIT
// See value_calls.h.
#include "backend/llvm/value_calls.h"

#include "backend/llvm/detour.h"

namespace mim::backend::llvm {

LLVMValueRef ValueCalls::of(const Def* def, LLVMValueRef fn) {
    auto pi = def->type()->as<Pi>();
    if (signatures_.value_type(pi) == pi) return fn;
    auto& made = made_[fn];
    if (made) return made;
    auto type = signatures_.of(signatures_.value_view(pi), signatures_.captures_of(def)).type;
    made      = LLVMAddFunction(build_.module(), "mim.value", type);
    LLVMSetFunctionCallConv(made, tailcc);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    define(made, def, fn);
    return made;
}

/// The parameter `p` of the function, made of those of `made`, which gets some tuples as a whole.
Value ValueCalls::argument(LLVMValueRef made, const CnView& wide, const Signature& sig, const Def* dom, const CnView::Param& p) {
    unsigned next = sig.by_memory ? 1 : 0;
    for (auto& q : wide.params) {
        auto type     = types_.lower(q.type);
        bool is_found = q.outer == p.outer && (q.inner == p.inner || q.inner < 0);
        if (!is_found) {
            next += type != nullptr;
            continue;
        }
        auto value = type ? Value(LLVMGetParam(made, next)) : Value();
        if (q.inner == p.inner) return as(value, q.type, p.type);
        auto group = wide.arity == 1 ? dom : elem_decl(ctx_.world, dom, size_t(p.outer));
        return conversions_.project(as(value, q.type, group), group, uint64_t(p.inner));
    }
    return {};
}

std::vector<LLVMValueRef> ValueCalls::arguments(LLVMValueRef made, const CnView& wide, const CnView& own, const Def* dom) {
    bool is_one_array = wide.arity == 1 && own.arity != 1; // whose elements are the parameters of the function
    if (is_one_array) return conversions_.args_of(own, as(Value(LLVMGetParam(made, 0)), wide.params[0].type, dom), dom);
    auto sig = signatures_.of(wide, {});
    std::vector<LLVMValueRef> args;
    for (auto& p : own.params)
        if (types_.lower(p.type)) args.push_back(unwrap(argument(made, wide, sig, dom, p)));
    return args;
}

void ValueCalls::define(LLVMValueRef made, const Def* def, LLVMValueRef fn) {
    auto pi       = def->type()->as<Pi>();
    auto captures = signatures_.captures_of(def);
    auto wide = signatures_.value_view(pi), own = view_cn(ctx_.world, pi->dom(), true);
    auto sig = signatures_.of(wide, captures), inner = signatures_.of(own, captures);
    Detour detour(ctx_, build_, names_, made, def);
    std::vector<LLVMValueRef> args;
    Value memory;
    if (inner.by_memory) {
        memory = build_.alloca_(Type(inner.result));
        args.push_back(unwrap(memory));
    }
    for (auto arg : arguments(made, wide, own, pi->dom())) args.push_back(arg);
    auto num_captures = LLVMCountParamTypes(inner.type) - unsigned(args.size());
    for (unsigned n = LLVMCountParams(made), i = n - num_captures; i != n; ++i) args.push_back(LLVMGetParam(made, i));
    auto call = LLVMBuildCall2(build_.ref(), inner.type, fn, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    if (!own.has_ret()) { // where returns are values, the call may come back when all is done
        LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
        LLVMBuildRetVoid(build_.ref());
        return;
    }
    auto given  = inner.by_memory ? build_.load(Type(inner.result), memory) : inner.result ? Value(call) : Value();
    auto result = as(given, own.result, wide.result);
    if (sig.by_memory) build_.store(result, Value(LLVMGetParam(made, 0)));
    if (result && !sig.by_memory) LLVMBuildRet(build_.ref(), unwrap(result));
    else LLVMBuildRetVoid(build_.ref());
}

} // namespace mim::backend::llvm
