// SPDX-License-Identifier: MIT
#include "ir/path_sets.h"

#include <algorithm>

#include "base/stack.h"

namespace mim::tokens {

namespace {
constexpr size_t MaxSize = size_t(1) << 20; ///< arms of all nodes: some tens of megabytes
} // namespace

PathSets::PathSets() { nodes_.resize(2); }

PathSets::Set PathSets::arm(const Def* cond, uint32_t arm, uint32_t num_arms) {
    auto var = vars_.try_emplace(cond, static_cast<uint32_t>(vars_.size()) + 1).first->second;
    return node(var, num_arms, None, {{arm, All}});
}

/// Looks the node up; `rest` and `arms` may not be in the unique form yet.
PathSets::Set PathSets::node(uint32_t var, uint32_t num_arms, Set rest, Arms arms) {
    auto others = num_arms - static_cast<uint32_t>(arms.size()); // that lead to `rest`
    Arms by_set;                                                 // how many arms lead where
    for (auto [arm, set] : arms) by_set.emplace_back(set, 1);
    if (others) by_set.emplace_back(rest, others);
    std::sort(by_set.begin(), by_set.end());
    std::pair<uint32_t, Set> best{0, None};
    for (size_t i = 0; i < by_set.size();) {
        uint32_t n = 0;
        auto set   = by_set[i].first;
        for (; i < by_set.size() && by_set[i].first == set; ++i) n += by_set[i].second;
        if (n > best.first) best = {n, set};
    }
    if (best.first == num_arms) return best.second;
    if (best.second != rest || !others) {
        Arms all;
        uint32_t next = 0;
        auto fill     = [&](uint32_t end) {
            for (; next < end; ++next) all.emplace_back(next, rest);
        };
        for (auto& a : arms) fill(a.first), all.push_back(a), next = a.first + 1;
        if (others) fill(num_arms);
        arms = std::move(all);
    }
    std::erase_if(arms, [&](auto& a) { return a.second == best.second; });
    Node n{var, num_arms, best.second, std::move(arms)};
    uint64_t h = n.rest * 0x9e3779b97f4a7c15ull + var;
    for (auto [arm, set] : n.arms) h = (h ^ arm) * 0xbf58476d1ce4e5b9ull, h = (h ^ set) * 0x94d049bb133111ebull, h ^= h >> 31;
    auto& bucket = unique_[h];
    for (auto s : bucket)
        if (nodes_[s] == n) return s;
    size_ += n.arms.size() + 1;
    if (size_ > MaxSize) throw TooManyPaths();
    bucket.push_back(static_cast<Set>(nodes_.size()));
    nodes_.push_back(std::move(n));
    return bucket.back();
}

PathSets::Set PathSets::child(Set s, uint32_t var, uint32_t arm) const {
    auto& n = nodes_[s];
    if (n.var != var) return s;
    auto it = std::lower_bound(n.arms.begin(), n.arms.end(), std::pair<uint32_t, Set>(arm, 0));
    return it != n.arms.end() && it->first == arm ? it->second : n.rest;
}

PathSets::Set PathSets::apply(Op op, Set a, Set b) {
    if (op == And) {
        if (a == b || b == All) return a;
        if (a == All) return b;
        if (a == None || b == None) return None;
    } else if (op == Or) {
        if (a == b || b == None) return a;
        if (a == None) return b;
        if (a == All || b == All) return All;
    } else {
        if (a == b || a == None || b == All) return None;
        if (b == None) return a;
    }
    if (op != Minus && a > b) std::swap(a, b);
    auto key = static_cast<uint64_t>(a) << 32 | b;
    if (auto it = memo_[op].find(key); it != memo_[op].end()) return it->second;
    if (stack_is_low()) throw TooManyPaths();
    auto var = std::max(nodes_[a].var, nodes_[b].var);
    auto n   = nodes_[a].var == var ? nodes_[a].num_arms : nodes_[b].num_arms;
    std::vector<uint32_t> listed;
    for (auto s : {a, b})
        if (nodes_[s].var == var)
            for (auto& arm : nodes_[s].arms) listed.push_back(arm.first);
    std::sort(listed.begin(), listed.end());
    listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
    Arms arms;
    for (auto arm : listed) arms.emplace_back(arm, apply(op, child(a, var, arm), child(b, var, arm)));
    Set rest = None;
    if (listed.size() < n) rest = apply(op, nodes_[a].var == var ? nodes_[a].rest : a, nodes_[b].var == var ? nodes_[b].rest : b);
    auto res = node(var, n, rest, std::move(arms));
    if (memo_[op].size() > MaxSize) throw TooManyPaths();
    return memo_[op][key] = res;
}

PathSets::Count PathSets::sum(std::span<const Set> sets) {
    if (sets.empty()) return {};
    if (sets.size() == 1) return {sets[0], None};
    std::vector<Count> counts;
    for (auto s : sets)
        if (s != None) counts.push_back({s, None});
    while (counts.size() > 1) { // in pairs: a list of n arms would be copied n times otherwise
        auto half = (counts.size() + 1) / 2;
        for (size_t i = 0; i < half; ++i) {
            auto a = counts[2 * i];
            if (2 * i + 1 == counts.size()) {
                counts[i] = a;
                continue;
            }
            auto b    = counts[2 * i + 1];
            counts[i] = {unite(a.once, b.once), unite(unite(a.twice, b.twice), intersect(a.once, b.once))};
        }
        counts.resize(half);
    }
    return counts.empty() ? Count() : counts[0];
}

} // namespace mim::tokens
