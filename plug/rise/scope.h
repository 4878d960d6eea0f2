// SPDX-License-Identifier: MIT
// Names, each of which is found in constant time: those bound around an expression, and definitions.
#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tree.h"

namespace mim::plug::rise {

class LocalScope {
public:
    void push(Local* x) {
        auto& innermost = innermost_[x->name];
        bound_.push_back({x, innermost});
        innermost = x;
    }
    /// Unbinds the name that was bound last.
    void pop() {
        auto [x, shadowed]  = bound_.back();
        innermost_[x->name] = shadowed;
        bound_.pop_back();
    }
    void clear() { *this = {}; }
    /// The innermost of this name; null: none is bound.
    Local* find(std::string_view name) const {
        auto known = innermost_.find(name);
        return known == innermost_.end() ? nullptr : known->second;
    }

private:
    struct Bound {
        Local* local;
        Local* shadowed; ///< of the same name, further out
    };
    std::vector<Bound> bound_;
    std::unordered_map<std::string_view, Local*> innermost_;
};

class Definitions {
public:
    void add(Definition& def) { all_[def.name].push_back(&def); }
    /// What the name means in `current`: the library uses itself; a file uses its own before that. Null: nothing yet.
    Definition* find(const Definition& current, std::string_view name) const;
    /// Another one further above that has the name of this one; null: there is none.
    const Definition* first_of_name(const Definition&) const;

private:
    std::unordered_map<std::string_view, std::vector<Definition*>> all_;
};

} // namespace mim::plug::rise
