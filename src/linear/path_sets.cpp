// SPDX-License-Identifier: MIT
#include "linear/path_sets.h"

#include <algorithm>
#include <utility>

#include "base/small_vector.h"
#include "base/stack.h"

namespace mim::linear {

namespace {
constexpr size_t MaxSize = size_t(1) << 20; ///< arms of all nodes: some tens of megabytes
} // namespace

PathSets::Table::Slot& PathSets::Table::slot(uint64_t key) {
    auto mask = slots_.size() - 1;
    auto h    = key * 0x9e3779b97f4a7c15ull;
    for (auto i = (h ^ h >> 32) & mask;; i = (i + 1) & mask)
        if (slots_[i].key == key || slots_[i].key == 0) return slots_[i];
}

uint32_t* PathSets::Table::find(uint64_t key) {
    if (slots_.empty()) return nullptr;
    auto& found = slot(key);
    return found.key == key ? &found.value : nullptr;
}

void PathSets::Table::put(uint64_t key, uint32_t value) {
    if (2 * size_ >= slots_.size()) {
        auto old = std::exchange(slots_, std::vector<Slot>(std::max<size_t>(64, 4 * slots_.size())));
        for (auto& s : old)
            if (s.key != 0) slot(s.key) = s;
    }
    auto& s = slot(key);
    size_ += s.key == 0;
    s = {key, value};
}

PathSets::PathSets() {
    nodes_.resize(2);
    next_.resize(2);
}

PathSets::Set PathSets::arm(const Def* cond, uint32_t arm, uint32_t num_arms) {
    auto var = vars_.try_emplace(cond, static_cast<uint32_t>(vars_.size()) + 1).first->second;
    if (num_arms == 1) return All;
    if (num_arms == 2) return arm == 0 ? two_ways(var, All, None) : two_ways(var, None, All);
    Arm taken(arm, All);
    return unique(var, num_arms, None, {&taken, 1});
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
    return unique(var, num_arms, best.second, arms);
}

/// The same for two arms, of which most branches have no more: the smaller number counts as where most lead.
PathSets::Set PathSets::two_ways(uint32_t var, Set first, Set second) {
    if (first == second) return first;
    Arm other = first < second ? Arm(1, second) : Arm(0, first);
    return unique(var, 2, std::min(first, second), {&other, 1});
}

PathSets::Set PathSets::unique(uint32_t var, uint32_t num_arms, Set rest, std::span<const Arm> arms) {
    uint64_t h = rest * 0x9e3779b97f4a7c15ull + var;
    for (auto [arm, set] : arms) h = (h ^ arm) * 0xbf58476d1ce4e5b9ull, h = (h ^ set) * 0x94d049bb133111ebull, h ^= h >> 31;
    h |= 1; // no key is 0
    auto bucket = unique_.find(h);
    for (auto s = bucket ? *bucket : None; s != None; s = next_[s]) {
        auto& n = nodes_[s];
        if (n.var == var && n.num_arms == num_arms && n.rest == rest && std::ranges::equal(this->arms(n), arms)) return s;
    }
    if (arms_.size() + nodes_.size() > MaxSize) throw TooManyPaths();
    auto made = static_cast<Set>(nodes_.size());
    nodes_.push_back({var, num_arms, rest, static_cast<uint32_t>(arms_.size()), static_cast<uint32_t>(arms.size())});
    arms_.insert(arms_.end(), arms.begin(), arms.end());
    next_.push_back(bucket ? *bucket : None);
    unique_.put(h, made);
    return made;
}

PathSets::Set PathSets::child(Set s, uint32_t var, uint32_t arm) const {
    auto& n = nodes_[s];
    if (n.var != var) return s;
    if (n.size == 1) return arms_[n.begin].first == arm ? arms_[n.begin].second : n.rest; // of two arms, one is listed
    auto all = arms(n);
    auto it  = std::lower_bound(all.begin(), all.end(), Arm(arm, 0));
    return it != all.end() && it->first == arm ? it->second : n.rest;
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
    auto key = static_cast<uint64_t>(a) << 32 | b; // not 0: None was handled above
    if (auto known = memo_[op].find(key)) return *known;
    if (stack_is_low() || memo_[op].size() > MaxSize) throw TooManyPaths();
    auto var = std::max(nodes_[a].var, nodes_[b].var);
    auto n   = nodes_[a].var == var ? nodes_[a].num_arms : nodes_[b].num_arms;
    Set result;
    if (n == 2) {
        auto first  = apply(op, child(a, var, 0), child(b, var, 0));
        auto second = apply(op, child(a, var, 1), child(b, var, 1));
        result      = two_ways(var, first, second);
    } else {
        result = apply_many(op, a, b, var, n);
    }
    memo_[op].put(key, result);
    return result;
}

PathSets::Set PathSets::apply_many(Op op, Set a, Set b, uint32_t var, uint32_t num_arms) {
    std::vector<uint32_t> listed;
    for (auto s : {a, b})
        if (nodes_[s].var == var)
            for (auto& arm : arms(nodes_[s])) listed.push_back(arm.first);
    std::sort(listed.begin(), listed.end());
    listed.erase(std::unique(listed.begin(), listed.end()), listed.end());
    Arms all;
    for (auto arm : listed) all.emplace_back(arm, apply(op, child(a, var, arm), child(b, var, arm)));
    Set rest = None;
    if (listed.size() < num_arms)
        rest = apply(op, nodes_[a].var == var ? nodes_[a].rest : a, nodes_[b].var == var ? nodes_[b].rest : b);
    return node(var, num_arms, rest, std::move(all));
}

PathSets::Count PathSets::sum(std::span<const Set> sets) {
    SmallVector<Count, 8> counts;
    for (auto s : sets)
        if (s != None) counts.push_back({s, None});
    auto join = [&](const Count& a, const Count& b) -> Count {
        return {unite(a.once, b.once), unite(unite(a.twice, b.twice), intersect(a.once, b.once))};
    };
    // In pairs: a list of n arms would be copied n times otherwise.
    for (auto size = counts.size(); size > 1; size = (size + 1) / 2) {
        for (size_t i = 0; i < size / 2; ++i) counts[i] = join(counts[2 * i], counts[2 * i + 1]);
        if (size % 2) counts[size / 2] = counts[size - 1];
    }
    return counts.empty() ? Count() : counts[0];
}

} // namespace mim::linear
