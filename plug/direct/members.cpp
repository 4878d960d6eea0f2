// SPDX-License-Identifier: MIT
// See members.h.
#include "members.h"

#include "ir/apart.h"

namespace mim::plug::direct {

const Union* Members::isa_labelled(const Def* type) {
    auto u = type->isa<Union>();
    if (!u) return nullptr;
    auto [i, fresh] = labelled_.try_emplace(u, false);
    if (!fresh) return i->second ? u : nullptr;
    // members with the same kinds of functions change alike
    std::vector<std::pair<const Def*, uint64_t>> members;
    for (auto member : u->ops())
        if (auto k = kinds(member); k != none) members.emplace_back(member, k);
    bool any = false;
    for (size_t a = 0; a != members.size(); ++a)
        for (size_t b = 0; b != a && !any; ++b)
            any = members[a].second != members[b].second && may_merge(members[a].first, members[b].first);
    labelled_[u] = any;
    return any ? u : nullptr;
}

void Members::label_parts(std::span<const Inj* const> widened) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (auto inj : widened) {
            bool both = isa_labelled(inj->type()) && !isa_labelled(inj->member());
            if (both) labelled_[inj->member()] = changed = true;
        }
    }
}

/// Two types that are apart, but maybe no longer once functions are continuations. Those that are nested so deep may.
bool Members::may_merge(const Def* a, const Def* b, unsigned depth) {
    if (depth == max_depth) return true;
    auto stay_apart = [&](const Def* x, const Def* y) { return Apart(world_).check(x, y) && !may_merge(x, y, depth + 1); };
    auto f = a->isa<Pi>(), g = b->isa<Pi>();
    if (f && g) {
        if (Facts::is_function(f) != Facts::is_function(g)) return true;
        return !stay_apart(f->dom(), g->dom()) && !stay_apart(f->codom(), g->codom());
    }
    if (!a->isa<Sigma>() || !b->isa<Sigma>() || a->num_ops() != b->num_ops()) return false;
    for (size_t i = 0; i != a->num_ops(); ++i)
        if (stay_apart(a->op(i), b->op(i))) return false;
    return true;
}

/// A bit for each function in the type, from left to right, that is told apart.
uint64_t Members::kinds(const Def* member) {
    uint64_t bits = none;
    std::unordered_set<const Def*> seen; // a recursive type comes back
    std::vector<const Def*> todo{member};
    while (!todo.empty() && seen.size() != max_parts) {
        auto def = todo.back();
        todo.pop_back();
        auto pi = def->isa<Pi>();
        if (pi) bits = bits << 1 | uint64_t(Facts::is_function(pi));
        if ((!pi && !def->isa<Sigma>()) || !seen.insert(def).second) continue;
        for (size_t i = def->num_ops(); i-- != 0;) todo.push_back(def->op(i));
    }
    return bits;
}

const Def* Members::label(const Def* member, const Def* type) {
    return world_.sigma({world_.sing(world_.lit_nat(kinds(member))), type});
}

const Def* Members::inject(const Def* member, const Def* value) { return world_.tuple({world_.lit_nat(kinds(member)), value}); }

} // namespace mim::plug::direct
