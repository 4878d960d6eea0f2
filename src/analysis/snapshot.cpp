// SPDX-License-Identifier: MIT
#include "analysis/snapshot.h"

#include <algorithm>

namespace mim {

namespace {

/// Everything that a node is made of: operands, and its type where that does not follow from them. A variable is made of nothing.
template<class F>
void each_part(const Def* def, F f) {
    if (def->node() == Node::Var) return;
    for (auto op : def->ops())
        if (op) f(op);
    switch (def->node()) {
        case Node::Lit:
        case Node::Axm:
        case Node::Inj:
        case Node::Lam: f(def->type()); break;
        default: break;
    }
}

} // namespace

Snapshot::Snapshot(World& world)
    : externals_(world.externals()) {
    auto reach = [&](const Def* def) {
        if (def->id() >= index_.size()) index_.resize(std::max<size_t>(def->id() + 1, index_.size() * 2), 0);
        auto& index = index_[def->id()];
        if (index != 0) return index - 1;
        nodes_.push_back(def);
        if (auto axm = def->isa<Axm>()) axioms_.push_back(&axm->axiom());
        index = static_cast<uint32_t>(nodes_.size());
        return index - 1;
    };
    std::vector<uint32_t> parts;
    for (auto& e : externals_) reach(e.lam);
    num_externals_ = static_cast<uint32_t>(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) each_part(nodes_[i], [&](const Def* part) { parts.push_back(reach(part)); });
    first_.assign(nodes_.size() + 1, 0);
    for (auto part : parts) ++first_[part + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    users_.resize(parts.size());
    auto next = first_;
    auto part = parts.begin();
    for (auto def : nodes_) each_part(def, [&](const Def*) { users_[next[*part++]++] = def; });
}

bool Snapshot::is_current(const World& world) const {
    return std::ranges::equal(externals_, world.externals(), [](auto& a, auto& b) { return a.name == b.name && a.lam == b.lam; });
}

} // namespace mim
