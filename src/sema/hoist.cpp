// SPDX-License-Identifier: MIT
#include "sema/hoist.h"

#include <algorithm>

#include "base/components.h"

namespace mim {

/// Where the names of d come into scope: those of functions where their segment begins, others behind their declarations.
std::vector<uint32_t> Hoist::visible_from() const {
    std::vector<uint32_t> result;
    uint32_t segment = 0;
    for (uint32_t i = 0; i < num_before_; ++i) {
        if (is_barrier(decls_[i])) segment = i + 1;
        result.push_back(segment);
    }
    return result;
}

/// A function also needs what those need that it mentions.
void Hoist::settle(const std::vector<std::pair<uint32_t, uint32_t>>& uses) {
    std::vector<std::vector<uint32_t>> mentioned(decls_.size());
    auto visible = visible_from();
    for (auto [from, to] : uses) {
        if (!is_movable_[from]) continue;
        if (to >= num_before_ && is_movable_[to]) {
            mentioned[from].push_back(to);
        } else if (to >= num_before_) {
            raise(from, None);
        } else {
            raise(from, visible[to]);
        }
    }
    auto succs = [&](uint32_t i) -> const std::vector<uint32_t>& { return mentioned[i]; };
    for (auto& component : members(components(decls_.size(), succs))) {
        uint32_t need = 0;
        for (auto i : component) {
            need = std::max(need, needs_[i]);
            for (auto to : mentioned[i]) need = std::max(need, needs_[to]);
        }
        for (auto i : component) needs_[i] = need;
    }
}

std::vector<uint32_t> Hoist::order(const std::vector<std::pair<uint32_t, uint32_t>>& uses) {
    settle(uses);
    std::vector<std::vector<uint32_t>> moved(num_before_);
    std::vector<uint32_t> rest, result;
    for (auto i = num_before_; i < decls_.size(); ++i) {
        bool moves = is_movable_[i] && needs_[i] < num_before_;
        (moves ? moved[needs_[i]] : rest).push_back(i);
    }
    for (uint32_t i = 0; i < num_before_; ++i) {
        result.insert(result.end(), moved[i].begin(), moved[i].end());
        result.push_back(i);
    }
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
}

} // namespace mim
