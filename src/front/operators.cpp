// SPDX-License-Identifier: MIT
#include "front/operators.h"

namespace mim::front {

bool OperatorTable::declare(std::string_view op, Fixity fixity) {
    auto [it, is_new] = innermost_.emplace(op, declared_.size());
    std::optional<size_t> outer;
    if (!is_new) {
        if (declared_[it->second].depth == depth_) return false;
        outer      = it->second;
        it->second = declared_.size();
    }
    declared_.push_back({std::string(op), fixity, depth_, outer});
    return true;
}

std::optional<Fixity> OperatorTable::find(std::string_view op) const {
    auto it = innermost_.find(std::string(op));
    return it == innermost_.end() ? of_others_ : declared_[it->second].fixity;
}

void OperatorTable::end_scope(size_t size) {
    for (; declared_.size() > size; declared_.pop_back()) {
        auto& last = declared_.back();
        if (last.outer) innermost_[last.op] = *last.outer;
        else innermost_.erase(last.op);
    }
    --depth_;
}

} // namespace mim::front
