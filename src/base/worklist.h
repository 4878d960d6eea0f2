// SPDX-License-Identifier: MIT
// The things that a traversal still has to visit, each once.
//
//     Worklist<const Def*> todo{root};
//     while (auto def = todo.next())
//         for (auto op : def->ops()) todo.push(op);
#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/ordered_set.h"

namespace mim {

/// The last one pushed comes first. T: a pointer, of which null is nothing to look at, or a number.
template<class T>
class Worklist {
public:
    using Next = std::conditional_t<std::is_pointer_v<T>, T, std::optional<T>>;

    Worklist() = default;
    Worklist(std::initializer_list<T> first)
        : todo_(first) {}
    template<class Range>
    explicit Worklist(const Range& first)
        : todo_(first.begin(), first.end()) {}

    void push(T value) { todo_.push_back(value); }
    template<class Range>
    void push_all(const Range& values) {
        todo_.insert(todo_.end(), values.begin(), values.end());
    }
    /// The next thing that was not visited before; null or nothing at the end.
    Next next() {
        while (!todo_.empty()) {
            auto value = todo_.back();
            todo_.pop_back();
            if (is_something(value) && seen_.insert(value)) return value;
        }
        return {};
    }
    /// All that was visited, in that order.
    const OrderedSet<T, std::hash<T>>& seen() const { return seen_; }

private:
    static bool is_something(T value) {
        if constexpr (std::is_pointer_v<T>) return value != nullptr;
        else return true;
    }

    std::vector<T> todo_;
    OrderedSet<T, std::hash<T>> seen_;
};

} // namespace mim
