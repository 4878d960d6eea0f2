// SPDX-License-Identifier: MIT
// Slots live as long as the activation of their function. In direct style it ends when the call has its result, tail calls included. A
// function in continuation-passing style ends when somebody calls the continuation that it was given to return to; so do all functions
// that handed this continuation on in tail calls. What leaves by another continuation is taken to be alive still, and so is what may be a
// block, and what makes a continuation.
#include "eval/activations.h"

#include <functional>
#include <vector>

#include "eval/machine.h"

namespace mim::eval {

namespace {

/// What a function in continuation-passing style takes last, to return to; null for a basic block.
const Pi* return_type(const Pi* pi) {
    auto dom  = pi->dom();
    auto last = dom->isa<Sigma>() && dom->num_ops() > 0 ? dom->ops().back() : dom;
    auto type = last->isa<Pi>();
    return type && type->is_cn() ? type : nullptr;
}

/// A function, not one of its basic blocks: a continuation without a return is one of those.
bool is_function(const Def* binder) {
    auto lam = binder ? binder->isa<Lam>() : nullptr;
    return lam && (!lam->is_cn() || return_type(lam->pi()));
}

/// Whether nobody can tell by the type if the λ is a function that returns something which ends in a continuation, or a
/// block that takes something which ends in a function, such as a package or a stream.
bool is_unclear(const Pi* pi) {
    auto ret = pi->is_cn() ? return_type(pi) : nullptr;
    return ret && return_type(ret);
}

/// The code of a closure: what it gives back runs only after it, with its slots.
bool makes_continuation(const Pi* pi) {
    auto result = pi->codom()->isa<Pi>();
    return result && result->is_cn();
}

/// The continuations that a call goes on with, or a `match`.
void each_next(const Def* def, const std::function<void(const Lam*)>& f) {
    std::vector<const Def*> todo;
    if (auto match = def->isa<Match>()) {
        todo.assign(match->arms().begin(), match->arms().end());
    } else if (auto app = def->isa<App>(); app && app->type()->isa<Bot>()) {
        auto tuple = app->arg()->isa<Tuple>();
        todo.push_back(tuple && tuple->num_ops() > 0 ? tuple->ops().back() : app->arg());
    }
    while (!todo.empty()) {
        auto next = todo.back();
        todo.pop_back();
        if (auto lam = next->isa<Lam>()) f(lam);
        auto choice = next->isa<Extract>();
        if (auto tuple = choice ? choice->tuple()->isa<Tuple>() : nullptr)
            todo.insert(todo.end(), tuple->ops().begin(), tuple->ops().end());
    }
}

} // namespace

Value Activations::slot(const Value& type, uint64_t id, const Def* where) {
    budget_.before_effect();
    auto frame  = nodes_.home(where, m_.env()); // where it is written, not who asks for it
    Env closest = m_.env();                     // to being a function: one whose return is a value, or none, looks like a block
    for (; frame && !is_function(frame->binder); frame = frame->parent)
        if (frame->binder) closest = frame;
    if (!frame) frame = closest;
    begin(frame);
    auto& slots = frame->activation->slots;
    for (auto& [known, ptr] : slots)
        if (known == id) return ptr;
    auto ptr = memory_.allocate(Allocation::Slot, layouts_.size_of(type, where));
    slots.emplace_back(id, ptr);
    return ptr;
}

/// The slots of blocks do not end.
void Activations::note_blocks(const Def* call) {
    each_next(call, [&](const Lam* lam) {
        if (is_unclear(lam->pi())) blocks_.insert(lam);
    });
}

/// Notes where the activation of this frame will end.
void Activations::begin(const Env& frame) {
    auto& a = frame->activation_of();
    if (a.has_begun) return;
    a.has_begun = true;
    auto lam    = frame->binder ? frame->binder->isa<Lam>() : nullptr;
    if (!lam || !is_function(lam)) return;
    if (makes_continuation(lam->pi())) return;
    if (!lam->is_cn()) return open_.push_back(frame);
    if (blocks_.contains(lam)) return;
    auto arg = m_.force(frame->arg);
    auto ret = lam->dom()->isa<Pi>() ? arg : m_.force(m_.extract(arg, lam->dom()->num_ops() - 1, lam));
    if (ret.is(Kind::Closure)) ret.closure().env->activation_of().returns.emplace_back(ret.closure().lam, frame);
    if (ret.is(Kind::Host)) ret.host().returns.push_back(frame);
}

void Activations::end(Frame& frame) {
    if (!frame.activation) return;
    for (auto& [id, ptr] : frame.activation->slots) ptr.ptr().alloc->end(Allocation::Returned);
    frame.activation->slots.clear();
}

void Activations::end_waiting(const ClosureObj& c) {
    if (!c.env->activation) return;
    auto& returns = c.env->activation->returns;
    for (size_t i = returns.size(); i-- != 0;) {
        if (returns[i].first != c.lam) continue;
        auto frame = returns[i].second;
        returns.erase(returns.begin() + static_cast<long>(i));
        end(*frame);
    }
}

void Activations::end_waiting(HostObj& host) {
    for (auto& frame : host.returns) end(*frame);
    host.returns.clear();
}

} // namespace mim::eval
