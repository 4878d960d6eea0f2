// SPDX-License-Identifier: MIT
// Slots live as long as the activation of their function. In direct style it ends when the call has its result, tail calls included. A
// function in continuation-passing style ends when somebody calls the continuation that it was given to return to; so do all functions
// that handed this continuation on in tail calls. What leaves by another continuation is taken to be alive still.
#include "eval/machine.h"

namespace mim::eval {

namespace {

bool is_return(const Def* type) { return type->isa<Pi>() && type->as<Pi>()->is_cn(); }

/// A function, not one of its basic blocks: a continuation without a return is one of those.
bool is_function(const Def* binder) {
    auto lam = binder ? binder->isa<Lam>() : nullptr;
    if (!lam || !lam->is_cn()) return lam;
    auto dom = lam->dom();
    return is_return(dom) || (dom->isa<Sigma>() && dom->num_ops() > 0 && is_return(dom->ops().back()));
}

} // namespace

Value Machine::slot(const Value& type, uint64_t id, const Def* where) {
    no_speculation();
    auto frame = home(where, env_); // where it is written, not who asks for it
    while (frame && !is_function(frame->binder)) frame = frame->parent;
    if (!frame) frame = env_;
    begin_activation(frame);
    auto& slots = frame->activation->slots;
    for (auto& [known, ptr] : slots)
        if (known == id) return ptr;
    auto ptr = allocate(Allocation::Slot, size_of(type, where));
    slots.emplace_back(id, ptr);
    return ptr;
}

/// Notes where the activation of this frame will end.
void Machine::begin_activation(const Env& frame) {
    auto& a = frame->activation_of();
    if (a.has_begun) return;
    a.has_begun = true;
    auto lam    = frame->binder ? frame->binder->isa<Lam>() : nullptr;
    if (!lam || !is_function(lam)) return;
    if (!lam->is_cn()) return open_.push_back(frame);
    auto arg = force(frame->arg);
    auto ret = lam->dom()->isa<Pi>() ? arg : force(extract(arg, lam->dom()->num_ops() - 1, lam));
    if (ret.is(Kind::Closure)) ret.closure().env->activation_of().returns.emplace_back(ret.closure().lam, frame);
    if (ret.is(Kind::Host)) ret.host().returns.push_back(frame);
}

void Machine::end_activation(Frame& frame) {
    if (!frame.activation) return;
    for (auto& [id, ptr] : frame.activation->slots) ptr.ptr().alloc->end(Allocation::Returned);
    frame.activation->slots.clear();
}

/// Somebody returns: ends the activations that were waiting for this continuation.
void Machine::end_activations(const ClosureObj& c) {
    auto& returns = c.env->activation->returns;
    for (size_t i = returns.size(); i-- != 0;) {
        if (returns[i].first != c.lam) continue;
        auto frame = returns[i].second;
        returns.erase(returns.begin() + static_cast<long>(i));
        end_activation(*frame);
    }
}

} // namespace mim::eval
