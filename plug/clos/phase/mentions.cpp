// SPDX-License-Identifier: MIT
#include "mentions.h"

#include <algorithm>

#include "base/worklist.h"
#include "bodies.h"
#include "post_order.h"

namespace mim::plug::clos {

Mentions::Mentions(World& world, const Snapshot& snapshot)
    : world_(world) {
    for (auto def : snapshot.nodes()) {
        auto lam = def->isa<Lam>();
        if (lam && lam->is_set() && is_closed(world, lam)) visit(lam);
    }
    number();
    doms_ = std::make_unique<DomTree>(preds_);
}

bool Mentions::is_shared(const Lam* lam, const std::vector<const Lam*>& group) const {
    auto found = functions_.find(lam);
    if (found == functions_.end()) return false;
    auto holds_all = [&](auto other) {
        auto i = functions_.find(other);
        return i != functions_.end() && doms_->dominates(i->second.number, found->second.number);
    };
    return std::ranges::none_of(group, holds_all) && is_large(lam);
}

/// Appends the functions that can be reached from `root`, and were not yet, in post-order.
void Mentions::visit(const Lam* root) {
    auto enter = [&](const Lam* lam) { return this->enter(lam); };
    add_in_post_order(root, order_, enter, [&](const Lam* lam) -> auto& { return functions_.at(lam).inner; });
}

/// False if it was visited before.
bool Mentions::enter(const Lam* lam) {
    auto [i, is_new] = functions_.try_emplace(lam);
    if (!is_new) return false;
    auto& function = i->second;
    each_in_body(lam, [&](const Def* def) {
        if (is_closed(world_, def)) return;
        ++function.size;
        auto inner = def->isa<Lam>();
        if (inner && inner->is_set()) function.inner.push_back(inner);
    });
    return true;
}

void Mentions::number() {
    auto n = uint32_t(order_.size());
    for (uint32_t i = 0; i != n; ++i) functions_.at(order_[i]).number = n - i;
    preds_.resize(n + 1);
    for (auto lam : order_) {
        auto& function = functions_.at(lam);
        if (is_closed(world_, lam)) preds_[function.number].push_back(0);
        for (auto inner : function.inner) preds_[functions_.at(inner).number].push_back(function.number);
    }
}

/// With the functions in it: all that is copied with it.
bool Mentions::is_large(const Lam* lam) const {
    static constexpr size_t large = 100;
    size_t size                   = 0;
    Worklist<const Lam*> todo{lam};
    while (auto inner = todo.next()) {
        auto& function = functions_.at(inner);
        size += function.size;
        if (size >= large) return true;
        todo.push_all(function.inner);
    }
    return false;
}

} // namespace mim::plug::clos
