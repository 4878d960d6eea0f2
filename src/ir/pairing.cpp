// SPDX-License-Identifier: MIT
#include "ir/pairing.h"

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
    return !free.any([&](auto var) { return !alike(var, var); });
}

bool Pairing::binds(const VarSet& free) const {
    if (pairs_.empty()) return false;
    if (!(free.bloom & (pairs_.back().left_bloom | pairs_.back().right_bloom))) return false;
    return free.any([&](auto var) { return binds_left(var) || binds_right(var); });
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

/// No node has this id: it is equal to no variable that is free on the other side.
static constexpr uint32_t kUnequal = 0;

uint32_t Pairing::around(const VarSet& left, const VarSet& right) {
    if (pairs_.empty()) return 0;
    std::vector<uint32_t> key;
    if (left.bloom & pairs_.back().left_bloom) {
        left.each([&](auto var) {
            if (!binds_left(var)) return;
            auto partner = right_of(var);
            bool is_free = partner && right.contains(partner);
            key.insert(key.end(), {var->id(), is_free ? partner->id() : kUnequal});
        });
    }
    if (right.bloom & pairs_.back().right_bloom) {
        right.each([&](auto var) {
            if (!binds_right(var)) return;
            auto partner = left_of(var);
            if (!partner || !left.contains(partner)) key.insert(key.end(), {kUnequal, var->id()});
        });
    }
    if (key.empty()) return 0;
    auto next = static_cast<uint32_t>(restrictions_.size() + 1);
    return restrictions_.emplace(std::move(key), next).first->second;
}

} // namespace mim
