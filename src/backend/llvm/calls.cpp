// SPDX-License-Identifier: MIT
// See calls.h.
#include "backend/llvm/calls.h"

namespace mim::backend::llvm {

/// The domain is [parameters, return].
std::vector<LLVMValueRef> Calls::args_before_return(const CnView& view, const Def* arg) {
    std::vector<LLVMValueRef> args;
    for (auto& p : view.params) {
        auto part = p.inner < 0 ? arg : ctx_.world.extract(arg, uint64_t(p.inner));
        if (auto value = conversions_.as(part, p.type)) args.push_back(unwrap(value));
    }
    return args;
}

bool Calls::is_c(const Def* callee) {
    if (callee->isa<Lam>()) return false;
    return callee->isa<Axm>() || ctx_.c_types.contains(callee->type());
}

Calls::CCallee Calls::c_callee(const Def* callee, const CnView& view) {
    auto axm  = callee->isa<Axm>();
    auto name = axm ? std::string(axm->axiom().name.view()) : ctx_.reports.name_of(callee);
    auto sig  = c_signatures_.of(view, ctx_.frame.place, name);
    auto fn   = axm ? c_calls_.import(axm, sig) : unwrap(values_.emit(callee));
    return {fn, std::move(sig)};
}

Value Calls::call_c(const Def* callee, const CnView& view, const Def* arg) {
    auto [fn, sig] = c_callee(callee, view);
    return c_calls_.call(fn, sig, args(view, arg, {}));
}

std::pair<LLVMValueRef, LLVMTypeRef> Calls::internal_callee(const Def* callee, const Signature& sig,
                                                            std::vector<LLVMValueRef>& args) {
    if (auto lam = callee->isa<Lam>()) return {functions_.of(lam), sig.type};
    return function_values_.callee(unwrap(values_.emit(callee)), sig, args);
}

Value Calls::call_function(const Def* callee, const Def* arg) {
    auto view = signatures_.view_of(callee);
    return call_function(callee, view, args_before_return(view, arg));
}

Value Calls::call_function(const Def* callee, Values args) {
    return call_function(callee, signatures_.view_of(callee), unwrap_all({args.begin(), args.end()}));
}

Value Calls::call_function(const Def* callee, const CnView& view, std::vector<LLVMValueRef> args) {
    if (is_c(callee)) {
        auto [fn, sig] = c_callee(callee, view);
        return c_calls_.call(fn, sig, args);
    }
    auto captures = signatures_.captures_of(callee);
    auto sig      = signatures_.of(view, captures);
    add_captures(captures, args);
    auto [fn, type] = internal_callee(callee, sig, args);
    Value result;
    if (sig.by_memory) {
        result = build_.passing_slot(Type(sig.result));
        args.insert(args.begin(), unwrap(result));
    }
    auto call = LLVMBuildCall2(build_.ref(), type, fn, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    if (sig.by_memory) return spills_.unspill(Type(sig.result), result);
    return sig.result ? Value(call) : Value();
}

LLVMValueRef Calls::leave_to(const Def* cont, Value v, const Def* type) {
    auto view = view_cn(ctx_.world, type, true);
    std::vector<LLVMValueRef> args;
    for (auto& p : view.params) {
        auto part = view.arity == 1 ? v : conversions_.project(v, type, uint64_t(p.outer));
        if (p.inner >= 0) {
            auto group = elem_decl(ctx_.world, type, size_t(p.outer));
            part       = conversions_.project(part, group, uint64_t(p.inner));
        }
        if (part) args.push_back(unwrap(part));
    }
    auto fn = unwrap(values_.emit(cont));
    if (ctx_.c_types.contains(cont->type())) {
        auto sig = c_signatures_.of(view, ctx_.frame.place, ctx_.reports.name_of(cont));
        c_calls_.call(fn, sig, args);
        return nullptr;
    }
    auto [code, code_type] = function_values_.callee(fn, signatures_.of(view), args);
    auto call              = LLVMBuildCall2(build_.ref(), code_type, code, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    return call;
}

std::vector<LLVMValueRef> Calls::args(const CnView& view, const Def* arg, const std::vector<const Def*>& captures) {
    std::vector<LLVMValueRef> values;
    for (auto& p : view.params)
        if (auto v = conversions_.as(param_of(ctx_.world, view, p, arg), p.type)) values.push_back(unwrap(v));
    add_captures(captures, values);
    return values;
}

void Calls::add_captures(const std::vector<const Def*>& captures, std::vector<LLVMValueRef>& args) {
    for (auto def : captures)
        for (auto& p : signatures_.captured(def))
            if (types_.lower(p->type())) args.push_back(unwrap(values_.emit(p)));
}

} // namespace mim::backend::llvm
