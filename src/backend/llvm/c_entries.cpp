// SPDX-License-Identifier: MIT
// See c_entries.h.
#include "backend/llvm/c_entries.h"

#include <algorithm>

#include "analysis/pointee.h"
#include "backend/llvm/attributes.h"
#include "backend/llvm/detour.h"
#include "backend/llvm/passes.h"

namespace mim::backend::llvm {

/// Calls the internal form; that call.
LLVMValueRef CEntries::body(LLVMValueRef wrapper, const CSig& sig, const Lam* lam) {
    auto inner = functions_.of(lam);
    Detour detour(ctx_, build_, names_, wrapper, lam);
    names_.begin(lam, wrapper, true);
    build_.others_at_work();
    heap_.attach();

    auto internal = signatures_.of(ctx_.program.view(lam));
    std::vector<LLVMTypeRef> types(LLVMCountParamTypes(internal.type));
    LLVMGetParamTypes(internal.type, types.data());
    auto args = c_calls_.receive(wrapper, sig, std::span(types).subspan(internal.by_memory ? 1 : 0));
    Value out;
    if (internal.by_memory) {
        out = build_.alloca_(Type(internal.result));
        args.insert(args.begin(), unwrap(out));
    }
    auto call = LLVMBuildCall2(build_.ref(), internal.type, inner, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    Value result = internal.by_memory ? build_.load(Type(internal.result), out) : Value(call);
    c_calls_.give_back(wrapper, sig, result);
    return call;
}

static bool is_allocator(std::string_view name) {
    return name == "malloc" || name == "calloc" || name == "realloc" || name == "free";
}

/// The C library calls its allocator itself, and so does compiled code. A program may define these functions, with their types there.
bool CEntries::is_allocator_of_other_type(std::string_view name, LLVMTypeRef type) {
    auto ptr  = unwrap(build_.ptr_type());
    auto size = unwrap(build_.int_type(64));
    auto none = LLVMVoidTypeInContext(build_.context());
    struct Function {
        std::string_view name;
        LLVMTypeRef result;
        std::vector<LLVMTypeRef> params;
    };
    const Function functions[] = {
        {"malloc", ptr, {size}}, {"calloc", ptr, {size, size}}, {"realloc", ptr, {ptr, size}}, {"free", none, {ptr}}};
    for (auto& [c, result, params] : functions) {
        auto of_c = LLVMFunctionType(result, const_cast<LLVMTypeRef*>(params.data()), unsigned(params.size()), false);
        if (c == name) return type != of_c;
    }
    return false;
}

/// `main` is called once. Inlined into what C calls, most of the program would go through all passes twice. What C
/// calls keeps its frame, where a backtrace ends.
void CEntries::external(Symbol name, const Lam* lam) {
    auto sig = c_signatures_.of(ctx_.program.view(lam), lam, name.view());
    if (name == "main") check_main(lam, sig);
    auto wrapper  = c_calls_.function(name.view(), sig, lam);
    bool is_taken = LLVMCountBasicBlocks(wrapper) || is_allocator_of_other_type(name.view(), LLVMGlobalGetValueType(wrapper));
    if (is_taken) ctx_.reports.fail(lam, Diag::symbol_clash, {std::string(name.view())});
    bool is_of_c = !is_allocator(name.view()) && is_library_function(wrapper);
    if (is_of_c) ctx_.reports.fail(lam, Diag::symbol_taken, {std::string(name.view())});
    auto call = body(wrapper, sig, lam);
    if (name != "main") return;
    mark_call(call, "noinline");
    LLVMSetTailCallKind(call, LLVMTailCallKindNoTail);
}

static bool is_token(const Def* type) {
    auto axm = head_axiom(type);
    return axm && axm->axiom().has(Axiom::LinearType);
}

static bool is_direct(const CArg& arg, Type type) { return arg.kind == CArg::Direct && arg.type == unwrap(type); }

/// What C sees is right in any order of the parameters; the language has one.
void CEntries::check_main(const Lam* lam, const CSig& sig) {
    auto& world = ctx_.world;
    auto i32    = build_.int_type(32);
    auto view   = ctx_.program.view(lam);
    auto size   = view.result ? std::max<int64_t>(lit_arity(world, view.result), 1) : 0;
    bool ok     = is_direct(sig.result, i32) && (sig.args.empty() || sig.args.size() == 2) && size <= 2;
    for (size_t i = 1; i < view.params.size(); ++i) ok = ok && !is_token(view.params[i].type);
    if (ok && size == 2) ok = is_token(elem_decl(world, view.result, 0)) && !is_token(elem_decl(world, view.result, 1));
    if (ok && sig.args.size() == 2) {
        auto strings = pointee(view.params.back().type);
        auto chars   = strings ? pointee(strings) : nullptr;
        ok           = is_direct(sig.args[0], i32) && is_direct(sig.args[1], build_.ptr_type()) && chars == world.idx(0x100);
    }
    if (!ok) ctx_.reports.fail(lam, Diag::bad_main, {});
}

LLVMValueRef CEntries::callback(const Lam* lam) {
    auto& fn = callbacks_[lam];
    if (fn) return fn;
    auto sig = c_signatures_.of(ctx_.program.view(lam), ctx_.frame.place, ctx_.reports.name_of(lam));
    fn       = LLVMAddFunction(build_.module(), "mim.callback", sig.type);
    LLVMSetLinkage(fn, LLVMInternalLinkage);
    c_calls_.attributes(sig, fn, false);
    body(fn, sig, lam);
    return fn;
}

LLVMValueRef CEntries::thunk(const Axm* axm) {
    auto& thunk = thunks_[axm];
    if (thunk) return thunk;
    auto name   = axm->axiom().name.view();
    auto view   = signatures_.view_of(axm);
    auto sig    = signatures_.of(view);
    auto csig   = c_signatures_.of(view, ctx_.frame.place, name);
    auto callee = c_calls_.import(axm, csig);
    thunk       = LLVMAddFunction(build_.module(), ("mim." + std::string(name)).c_str(), sig.type);
    LLVMSetFunctionCallConv(thunk, tailcc);
    LLVMSetLinkage(thunk, LLVMInternalLinkage);

    Detour detour(ctx_, build_, names_, thunk, ctx_.frame.place);
    std::vector<LLVMValueRef> args;
    for (unsigned i = sig.by_memory ? 1 : 0, n = LLVMCountParams(thunk); i != n; ++i) args.push_back(LLVMGetParam(thunk, i));
    auto result = c_calls_.call(callee, csig, args);
    if (!view.has_ret()) {
        LLVMBuildUnreachable(build_.ref());
    } else if (sig.by_memory) {
        build_.store(result, Value(LLVMGetParam(thunk, 0)));
        LLVMBuildRetVoid(build_.ref());
    } else if (result) {
        LLVMBuildRet(build_.ref(), unwrap(result));
    } else {
        LLVMBuildRetVoid(build_.ref());
    }
    return thunk;
}

} // namespace mim::backend::llvm
