// SPDX-License-Identifier: MIT
#include "ir/pairing.h"

#include <algorithm>

namespace mim {

/*
 * the stack
 */

uint32_t Pairing::enter(Places& places, const Def* var, uint32_t place) {
    if (!var) return None;
    auto [it, fresh] = places.emplace(var, place);
    if (fresh) return None;
    return std::exchange(it->second, place);
}

void Pairing::leave(Places& places, const Def* var, uint32_t outer) {
    if (!var) return;
    if (outer == None) places.erase(var);
    else places[var] = outer;
}

void Pairing::push(const Def* left, const Def* right) {
    auto place = static_cast<uint32_t>(pairs_.size());
    Pair pair{left, right, enter(left_, left, place), enter(right_, right, place), 0, 0};
    if (!pairs_.empty()) pair.left_bloom = pairs_.back().left_bloom, pair.right_bloom = pairs_.back().right_bloom;
    if (left) pair.left_bloom |= VarSet::bit(left);
    if (right) pair.right_bloom |= VarSet::bit(right);
    pairs_.push_back(pair);
}

void Pairing::pop() {
    auto pair = pairs_.back();
    pairs_.pop_back();
    leave(left_, pair.left, pair.outer_left);
    leave(right_, pair.right, pair.outer_right);
}

/*
 * questions
 */

bool Pairing::alike(const Def* left, const Def* right) const {
    auto i = find(left_, left), j = find(right_, right);
    if (i == None && j == None) return left == right;
    return i == j;
}

bool Pairing::is_identity(const VarSet& free) const {
    if (!binds(free)) return true;
    return std::all_of(free.begin(), free.end(), [&](auto var) { return alike(var, var); });
}

bool Pairing::binds(const VarSet& free) const {
    if (pairs_.empty()) return false;
    if (!(free.bloom & (pairs_.back().left_bloom | pairs_.back().right_bloom))) return false;
    return std::any_of(free.begin(), free.end(), [&](auto var) { return binds_left(var) || binds_right(var); });
}

const Def* Pairing::right_of(const Def* left) const {
    auto i = find(left_, left);
    if (i == None) return nullptr;
    auto right = pairs_[i].right;
    return right && find(right_, right) == i ? right : nullptr;
}

const Def* Pairing::left_of(const Def* right) const {
    auto i = find(right_, right);
    if (i == None) return nullptr;
    auto left = pairs_[i].left;
    return left && find(left_, left) == i ? left : nullptr;
}

uint32_t Pairing::around(const VarSet& left, const VarSet& right) {
    if (pairs_.empty()) return 0;
    static constexpr uint32_t Unequal = 0; // no node has this id: equal to no variable that is free on the other side
    std::vector<uint32_t> key;
    if (left.bloom & pairs_.back().left_bloom) {
        for (auto var : left) {
            if (!binds_left(var)) continue;
            auto partner = right_of(var);
            bool is_free = partner && right.contains(partner);
            key.insert(key.end(), {var->id(), is_free ? partner->id() : Unequal});
        }
    }
    if (right.bloom & pairs_.back().right_bloom) {
        for (auto var : right) {
            if (!binds_right(var)) continue;
            auto partner = left_of(var);
            if (!partner || !left.contains(partner)) key.insert(key.end(), {Unequal, var->id()});
        }
    }
    if (key.empty()) return 0;
    auto next = static_cast<uint32_t>(restrictions_.size() + 1);
    return restrictions_.emplace(std::move(key), next).first->second;
}

} // namespace mim
