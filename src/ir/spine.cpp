// SPDX-License-Identifier: MIT
#include "ir/spine.h"

#include "ir/impl.h"

namespace mim {

/// This group is reduced for sure, now or together with the next.
const Lam* Spine::reducible(const Def* arg) const {
    auto lam = expr_->isa<Lam>();
    bool is  = lam && !lam->is_waiting() && lam->filter() == world_.tt() && lam->var()->isa<Var>() && !lam->is_unstable()
              && !arg->is_unstable() && !type()->is_unstable() && !world_.impl().frozen;
    return is ? lam : nullptr;
}

void Spine::apply(const Def* arg) {
    auto lam  = reducible(arg);
    bool more = lam && lam->body()->isa<Lam>();
    if (!lam || (!more && waiting_.empty())) {
        expr_ = world_.app(get(), arg);
        return;
    }
    auto pi = type()->as<Pi>();
    world_.impl().check_arg(pi, expr_, arg);
    arg       = world_.coerce(pi->dom(), arg);
    auto type = more ? codom(world_, pi, arg) : nullptr;
    waiting_.push_back({lam, arg});
    if (more) {
        type_ = type, expr_ = lam->body();
        return;
    }
    try {
        get();
    } catch (...) {
        waiting_.pop_back(); // the caller may try another argument
        throw;
    }
}

const Def* Spine::get() {
    if (waiting_.size() == 1) expr_ = world_.app(waiting_[0].lam, waiting_[0].arg);
    else if (!waiting_.empty()) expr_ = world_.impl().beta(waiting_);
    waiting_.clear();
    return expr_;
}

const Def* apply(World& world, const Def* callee, Defs groups) {
    if (groups.size() == 1) return world.app(callee, groups[0]);
    Spine spine(world, callee);
    for (auto group : groups) spine.apply(group);
    return spine.get();
}

} // namespace mim
