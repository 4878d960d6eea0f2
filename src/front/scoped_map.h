// SPDX-License-Identifier: MIT
// Names and their meaning, the innermost one first. A scope ends by forgetting what came after its begin.
#pragma once
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mim::front {

template<class Name, class Value>
class ScopedMap {
public:
    size_t size() const { return order_.size(); }
    void push(Name name, Value value) {
        auto [innermost, is_new] = innermost_.try_emplace(name, order_.size());
        auto hidden              = is_new ? std::nullopt : std::optional(innermost->second);
        innermost->second        = order_.size();
        order_.push_back({std::move(name), std::move(value), hidden});
    }
    /// Forgets all but the first `size` ones.
    void shrink(size_t size) {
        for (; order_.size() > size; order_.pop_back()) {
            auto& last = order_.back();
            if (last.hidden) innermost_[last.name] = *last.hidden;
            else innermost_.erase(last.name);
        }
    }
    /// The innermost one with this name, until the next change; null if there is none.
    const Value* find(const Name& name) const {
        auto found = innermost_.find(name);
        return found == innermost_.end() ? nullptr : &order_[found->second].value;
    }
    /// The same as a value; `none` if there is none.
    Value get(const Name& name, Value none = {}) const {
        auto value = find(name);
        return value ? *value : std::move(none);
    }

private:
    struct Entry {
        Name name;
        Value value;
        std::optional<size_t> hidden; ///< the entry that it hides
    };
    std::vector<Entry> order_;
    std::unordered_map<Name, size_t> innermost_; ///< index into order_
};

} // namespace mim::front
