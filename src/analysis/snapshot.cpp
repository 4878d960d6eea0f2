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
        case Node::Tuple:
            if (is_declared(def)) f(def->type());
            break;
        default: break;
    }
}

} // namespace

Snapshot::Snapshot(World& world)
    : externals_(world.externals.all()) {
    index_.resize(world.stats().nodes + 1, 0); // ids are dense
    first_.push_back(0);
    auto reach = [&](const Def* def) {
        auto& index = index_[def->id()];
        if (index != 0) return index;
        nodes_.push_back(def);
        first_.push_back(0);
        if (auto axm = def->isa<Axm>()) axioms_.push_back(&axm->axiom());
        return index = static_cast<uint32_t>(nodes_.size());
    };
    for (auto& e : externals_) reach(e.lam);
    num_externals_ = static_cast<uint32_t>(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) each_part(nodes_[i], [&](const Def* part) { ++first_[reach(part)]; });
    // from how many users each has to where they begin; while they are filled in, to where the next one goes, which ends where the
    // next node's begin
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    users_.resize(first_.back());
    for (auto def : nodes_) each_part(def, [&](const Def* part) { users_[first_[index_[part->id()] - 1]++] = def; });
    for (size_t i = first_.size() - 1; i > 0; --i) first_[i] = first_[i - 1];
    first_[0] = 0;
}

bool Snapshot::is_current(const World& world) const {
    return std::ranges::equal(externals_, world.externals, [](auto& a, auto& b) { return a.name == b.name && a.lam == b.lam; });
}

bool happens_only_in(const Snapshot& program, const Def* effect, const std::function<bool(const Def* lam)>& is_such) {
    std::vector<const Def*> todo{effect};
    DefSet seen;
    bool is_evaluated = false;
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        for (auto user : program.users(def)) {
            if (!seen.insert(user)) continue;
            bool is_place = user->isa<Lam>();
            if (is_place && !is_such(user)) return false;
            if (!is_place) todo.push_back(user);
            is_evaluated |= is_place;
        }
    }
    return is_evaluated;
}

} // namespace mim
