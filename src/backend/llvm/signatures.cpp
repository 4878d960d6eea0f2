// SPDX-License-Identifier: MIT
// See signatures.h.
#include "backend/llvm/signatures.h"

namespace mim::backend::llvm {

/// One vector that comes back in registers, be they the narrowest: four of 128 bits.
static bool is_vector(ModuleBuilder& module, LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind && module.leaves(t) <= 4;
}

CnView Signatures::view_of(const Def* callee) {
    if (auto lam = callee->isa<Lam>()) return ctx_.program.view(lam);
    auto pi   = callee->type()->as<Pi>();
    bool is_c = callee->isa<Axm>() || ctx_.c_types.contains(pi);
    return is_c ? view_cn(ctx_.world, pi->dom(), true) : value_view(pi);
}

std::vector<const Def*> Signatures::captures_of(const Def* callee) {
    auto lam = callee->isa<Lam>();
    return lam ? ctx_.program.captures(lam) : std::vector<const Def*>();
}

Signature Signatures::of(const Lam* lam) { return of(ctx_.program.view(lam), ctx_.program.captures(lam)); }

Signature Signatures::of(const CnView& view, const std::vector<const Def*>& captures) {
    Signature sig;
    std::vector<LLVMTypeRef> params;
    if (view.result) sig.result = types_.lower(view.result);
    sig.by_memory = module_.leaves(sig.result) > 3 && !is_vector(module_, sig.result);
    if (sig.by_memory) params.push_back(unwrap(module_.ptr_type(0)));
    for (auto& p : view.params) {
        types_.check_parts(p.type);
        if (auto t = types_.lower(p.type)) params.push_back(t);
    }
    for (auto def : captures)
        for (auto& p : captured(def))
            if (auto t = types_.lower(p->type())) params.push_back(t);
    auto result = sig.result && !sig.by_memory ? sig.result : LLVMVoidTypeInContext(module_.context());
    sig.type    = LLVMFunctionType(result, params.data(), unsigned(params.size()), false);
    return sig;
}

std::vector<const Def*> Signatures::captured(const Def* def) {
    auto var = def->isa<Var>();
    if (!var) return {def};
    auto lam = var->binder()->isa<Lam>();
    if (!lam) ctx_.reports.fail_here(Diag::needs_closure, {ctx_.reports.name_of(ctx_.frame.fn->lam)});
    std::vector<const Def*> result;
    auto view = ctx_.program.view(lam);
    for (auto& p : view.params) result.push_back(param_of(ctx_.world, view, p, var));
    return result;
}

} // namespace mim::backend::llvm
