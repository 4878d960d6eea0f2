// SPDX-License-Identifier: MIT
// Private to src/ir: expressions that a comparison assumes to be equal (Hopcroft and Karp 1971). Equality is an equivalence, so assuming
// a ~ b and b ~ c is assuming a ~ c. Two circles of n and m types are compared in n + m steps then, not in one for each pair.
//
// Union by size. Paths are not compressed, so that what an attempt has assumed can be taken back; a search takes logarithmic time.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/def.h"

namespace mim {

class EqualClasses {
public:
    bool same(const Def* a, const Def* b) const { return find(a) == find(b); }
    void merge(const Def* a, const Def* b) {
        a = find(a), b = find(b);
        if (a == b) return;
        if (size_of(a) < size_of(b)) std::swap(a, b);
        auto size   = size_of(b);
        classes_[b] = {a, size};
        auto& root  = classes_.try_emplace(a, Class{a, 1}).first->second;
        root.size += size;
        merged_.push_back(b);
    }
    /// Merges so far.
    size_t num_merged() const { return merged_.size(); }
    /// Takes back all merges but the first `n`.
    void undo(size_t n) {
        for (; merged_.size() > n; merged_.pop_back()) {
            auto& part = classes_[merged_.back()];
            classes_[part.parent].size -= part.size;
            part.parent = merged_.back();
        }
    }

private:
    struct Class {
        const Def* parent; ///< itself, if it stands for the class
        uint32_t size;
    };

    const Def* find(const Def* def) const {
        for (auto it = classes_.find(def); it != classes_.end() && it->second.parent != def; it = classes_.find(def))
            def = it->second.parent;
        return def;
    }
    uint32_t size_of(const Def* root) const {
        auto it = classes_.find(root);
        return it == classes_.end() ? 1 : it->second.size;
    }

    std::unordered_map<const Def*, Class> classes_;
    std::vector<const Def*> merged_; ///< those that no longer stand for a class, in order
};

} // namespace mim
