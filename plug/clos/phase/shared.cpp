// SPDX-License-Identifier: MIT
#include "shared.h"

#include <algorithm>

#include "base/domtree.h"
#include "base/worklist.h"
#include "bodies.h"
#include "post_order.h"

namespace mim::plug::clos {

/// Let each code be a child of the root of a graph of calls. A function that is no code belongs to the code that dominates it; it belongs
/// to none, and its immediate dominator is the root, if several codes call it. By the same rule, what such a function calls alone
/// belongs to it, as if it were a code.
Shared::Shared(World& world, const Roles& roles, const Snapshot& snapshot, const std::unordered_set<const Lam*>& closures)
    : world_(world)
    , roles_(roles) {
    for (auto lam : closures)
        if (!is_closed(world, lam)) shared_.insert(lam);
    for (auto def : snapshot.nodes()) {
        auto lam = def->isa<Lam>();
        if (lam && lam->is_set() && is_code(lam)) visit(lam);
    }
    number();
    find_makers();
    DomTree doms(preds_);
    for (size_t i = 0; i != order_.size(); ++i) {
        auto lam       = order_[i];
        bool is_shared = !is_code(lam) && doms.idom(uint32_t(i + 1)) == 0;
        if (is_shared && lam->is_cn() && makers_.contains(lam)) shared_.insert(lam);
    }
}

bool Shared::is_code(const Lam* lam) const {
    return is_closed(world_, lam) || shared_.contains(lam) || (lam->is_cn() && roles_.is_value(lam));
}

/// Appends the functions that can be reached from `root`, and were not yet, in post-order.
void Shared::visit(const Lam* root) {
    auto enter = [&](const Lam* lam) { return this->enter(lam); };
    add_in_post_order(root, order_, enter, [&](const Lam* lam) -> auto& { return callees_.at(lam); });
}

/// False if it was visited before.
bool Shared::enter(const Lam* lam) {
    if (!callees_.try_emplace(lam).second) return false;
    find_in_body(lam);
    return true;
}

void Shared::find_in_body(const Lam* lam) {
    auto& callees = callees_.at(lam);
    each_in_body(lam, [&](const Def* def) {
        auto inner = def->isa<Lam>();
        if (!inner || !inner->is_set() || is_closed(world_, inner)) return;
        if (is_code(inner)) makers_.insert(lam);
        else callees.push_back(inner);
    });
}

void Shared::number() {
    std::ranges::reverse(order_);
    std::unordered_map<const Lam*, uint32_t> number;
    for (size_t i = 0; i != order_.size(); ++i) number[order_[i]] = uint32_t(i + 1);
    preds_.resize(order_.size() + 1);
    for (auto lam : order_) {
        auto n = number.at(lam);
        if (is_code(lam)) preds_[n].push_back(0);
        for (auto callee : callees_.at(lam)) preds_[number.at(callee)].push_back(n);
    }
}

/// What calls a maker that is no code is a maker.
void Shared::find_makers() {
    Worklist<uint32_t> todo;
    for (size_t i = 0; i != order_.size(); ++i)
        if (makers_.contains(order_[i])) todo.push(uint32_t(i + 1));
    while (auto lam = todo.next()) {
        if (*lam == 0) continue;
        makers_.insert(order_[*lam - 1]);
        todo.push_all(preds_[*lam]);
    }
}

} // namespace mim::plug::clos
