// SPDX-License-Identifier: MIT
#include "ir/token_paths.h"

#include <algorithm>

namespace mim::tokens {

namespace {
constexpr size_t MaxRegions = 32;
constexpr uint32_t MaxDepth = 64; ///< deeper choices are not told apart
} // namespace

Region Paths::arm(Region r, const Def* cond, uint32_t arm, uint32_t num_arms, bool& too_deep) {
    for (auto n = r; n != 0; n = nodes_[n].parent)
        if (nodes_[n].cond == cond) return nodes_[n].arm == arm ? r : Impossible;
    if (nodes_[r].depth >= MaxDepth) return too_deep = true, r;
    auto& list = children_[static_cast<uint64_t>(r) << 32 | cond->id()];
    for (auto c : list)
        if (nodes_[c].arm == arm) return c;
    auto res = static_cast<Region>(nodes_.size());
    list.push_back(res);
    nodes_.push_back({r, cond, arm, num_arms, nodes_[r].depth + 1});
    return res;
}

void Paths::split(Region a, Region b, std::vector<Choice>& only_a, std::vector<Choice>& only_b) const {
    auto up = [&](Region& r, std::vector<Choice>& out) {
        auto& n = nodes_[r];
        out.push_back({n.cond, n.arm, n.num_arms});
        r = n.parent;
    };
    while (a != b) {
        if (nodes_[a].depth >= nodes_[b].depth) up(a, only_a);
        else up(b, only_b);
    }
}

Paths::Relation Paths::relate(Region a, Region b) const {
    std::vector<Choice> only_a, only_b;
    split(a, b, only_a, only_b);
    size_t shared = 0;
    for (auto& x : only_a)
        for (auto& y : only_b) {
            if (x.cond != y.cond) continue;
            if (x.arm != y.arm) return Relation::Disjoint;
            ++shared;
        }
    if (shared == only_a.size()) return Relation::Covers;
    return shared == only_b.size() ? Relation::CoveredBy : Relation::Overlap;
}

bool Paths::further(Region of, Region given, std::vector<Choice>& out) const {
    std::vector<Choice> only_of, only_given;
    split(of, given, only_of, only_given);
    for (auto& x : only_of) {
        auto it = std::find_if(only_given.begin(), only_given.end(), [&](auto& y) { return y.cond == x.cond; });
        if (it == only_given.end()) out.push_back(x);
        else if (it->arm != x.arm) return false;
    }
    return true;
}

/// Adds r; all arms of one branch are their parent.
void Paths::push(Regions& set, Region r) const {
    for (;;) {
        auto& n      = nodes_[r];
        auto sibling = [&](Region x) { return x != 0 && r != 0 && nodes_[x].parent == n.parent && nodes_[x].cond == n.cond; };
        auto count   = std::count_if(set.list.begin(), set.list.end(), sibling);
        if (r == 0 || static_cast<uint32_t>(count) + 1 < n.num_arms) break;
        std::erase_if(set.list, sibling);
        r = n.parent;
    }
    if (set.list.size() >= MaxRegions) set.too_large = true;
    else set.list.push_back(r);
}

void Paths::add(Regions& set, Region r) const {
    for (auto x : set.list)
        if (auto rel = relate(x, r); rel == Relation::Covers) return;
    std::erase_if(set.list, [&](Region x) { return relate(r, x) == Relation::Covers; });
    push(set, r);
}

void Paths::add_once(Regions& set, Region r) const {
    for (auto x : set.list) set.twice |= relate(x, r) != Relation::Disjoint;
    if (std::find(set.list.begin(), set.list.end(), r) == set.list.end()) push(set, r);
}

} // namespace mim::tokens
