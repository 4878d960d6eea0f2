// SPDX-License-Identifier: MIT
// Operations that are evaluated by need (Axiom::ByNeed). The schedule does not place them: the emitter evaluates one where its value is used.
#include "backend/llvm/emitter.h"

namespace mim::backend::llvm {

static constexpr unsigned tailcc = 18; // llvm::CallingConv::Tail

Value Emitter::emit_inside(const Def* def, const Def* type) {
    auto mark  = trail_.size();
    auto value = as(def, type);
    for (; trail_.size() > mark; trail_.pop_back()) env_.erase(trail_.back());
    return value;
}

/// The domain is [parameters, return].
std::vector<LLVMValueRef> Emitter::args_before_return(const CnView& view, const Def* arg) {
    std::vector<LLVMValueRef> args;
    for (auto& p : view.params) {
        auto part = p.inner < 0 ? arg : world_.extract(arg, uint64_t(p.inner));
        if (auto value = as(part, p.type)) args.push_back(unwrap(value));
    }
    return args;
}

Value Emitter::call_function(const Def* callee, const Def* arg) {
    auto lam  = callee->isa<Lam>();
    auto axm  = callee->isa<Axm>();
    auto view = lam ? program_->view(lam) : view_cn(world_, callee->type()->as<Pi>()->dom(), true);
    auto args = args_before_return(view, arg);
    if (axm || (!lam && c_types_->contains(callee->type()))) {
        auto name = axm ? std::string(axm->axiom().name.view()) : name_of(callee);
        auto sig  = c_signature(view, state_.place, name);
        auto fn   = axm ? c_function(heap_function(name), sig, state_.place) : unwrap(emit(callee));
        return c_call(fn, sig, args);
    }
    auto captures = lam ? program_->captures(lam) : std::vector<const Def*>();
    auto sig      = signature(view, captures);
    add_captures(captures, args);
    auto fn   = lam ? function(lam) : unwrap(emit(callee));
    auto type = sig.type;
    if (!lam) std::tie(fn, type) = callee_of(fn, sig, args);
    Value result;
    if (sig.by_memory) {
        result = alloca_(Type(sig.result));
        args.insert(args.begin(), unwrap(result));
        state_.hidden.push_back(unwrap(result));
    }
    auto call = LLVMBuildCall2(builder_, type, fn, args.data(), unsigned(args.size()), "");
    LLVMSetInstructionCallConv(call, tailcc);
    if (sig.by_memory) return unspill(Type(sig.result), result);
    return sig.result ? Value(call) : Value();
}

} // namespace mim::backend::llvm
