// SPDX-License-Identifier: MIT
// Private to src/ir: which variables of the left side of a comparison stand for which of the right side.
//
// The binders under comparison pair their variables. That is a stack: a binder that is entered again pairs its variable anew, and hides
// the older pair. x and y are paired alike if the innermost pair of x is also the innermost of y; variables in no pair stand for
// themselves. So for two expressions only the pairs of variables that are free in them matter: around() numbers these *restrictions*.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/impl.h"

namespace mim {

class Pairing {
public:
    /// Of two binders that are entered. Null where one has no variable: the other's then equals nothing.
    void push(const Def* left, const Def* right);
    void pop();
    bool empty() const { return pairs_.empty(); }

    /// Whether these variables are equal.
    bool alike(const Def* left, const Def* right) const;
    /// Whether an expression with these free variables, on both sides, is equal to itself.
    bool is_identity(const VarSet& free) const;
    /// Whether one of the variables is paired, as a variable of either side.
    bool binds(const VarSet& free) const;
    /// Whether f holds for none of the variables that are paired.
    template<class F>
    bool none(F f) const {
        for (auto& pair : pairs_)
            if ((pair.left && f(pair.left)) || (pair.right && f(pair.right))) return false;
        return true;
    }
    bool binds_left(const Def* var) const { return find(left_, var) != None; }
    bool binds_right(const Def* var) const { return find(right_, var) != None; }
    /// The variable that this one is paired with, or null.
    const Def* right_of(const Def* left) const;
    const Def* left_of(const Def* right) const;

    /// The restriction to what is free in a pair of expressions: equal numbers mean equal restrictions, 0 is the one without pairs.
    uint32_t around(const VarSet& left, const VarSet& right);

private:
    static constexpr uint32_t None = ~uint32_t(0);
    using Places                   = std::unordered_map<const Def*, uint32_t>; ///< of innermost pairs
    struct Pair {
        const Def *left, *right;
        uint32_t outer_left, outer_right; ///< the pairs that it hides
        uint64_t left_bloom, right_bloom; ///< of the variables in it and in the pairs around it
    };
    struct KeyHash {
        size_t operator()(const std::vector<uint32_t>& key) const {
            uint32_t h = 0;
            for (auto word : key) h = mix(h, word);
            return h;
        }
    };

    static uint32_t find(const Places& places, const Def* var) {
        if (places.empty()) return None;
        auto it = places.find(var);
        return it == places.end() ? None : it->second;
    }
    static uint32_t enter(Places&, const Def* var, uint32_t place);
    static void leave(Places&, const Def* var, uint32_t outer);

    std::vector<Pair> pairs_;
    Places left_, right_;
    std::unordered_map<std::vector<uint32_t>, uint32_t, KeyHash> restrictions_;
};

} // namespace mim
