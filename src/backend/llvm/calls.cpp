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
    return own_result(callee, view, call_function(callee, view, args_before_return(view, arg)));
}

Value Calls::call_function(const Def* callee, Values args) {
    auto view = signatures_.view_of(callee);
    auto own  = own_view(callee);
    if (view.params.size() != own.params.size()) ctx_.reports.run_time_layout(callee->type());
    std::vector<LLVMValueRef> values;
    auto next = args.begin();
    for (size_t i = 0; i != own.params.size(); ++i) {
        auto arg = types_.lower(own.params[i].type) ? *next++ : Value();
        arg      = as(arg, own.params[i].type, view.params[i].type);
        if (arg) values.push_back(unwrap(arg));
    }
    return own_result(callee, view, call_function(callee, view, values));
}

/// The parameters and the result that the type of a function has, whether or not it is a value and called in another way.
CnView Calls::own_view(const Def* callee) {
    return callee->isa<Lam>() ? signatures_.view_of(callee) : view_cn(ctx_.world, callee->type()->as<Pi>()->dom(), true);
}

Value Calls::own_result(const Def* callee, const CnView& view, Value result) {
    return view.result ? as(result, view.result, own_view(callee).result) : result;
}

Value Calls::as(Value v, const Def* from, const Def* to) { return from == to ? v : conversions_.convert(v, from, to); }

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
    auto view = signatures_.view_of(cont);
    auto args = conversions_.args_of(view, v, type);
    auto fn   = unwrap(values_.emit(cont));
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
