// SPDX-License-Identifier: MIT
// Which expressions depend on the arguments of what is differentiated. All others are constant.
#pragma once
#include <algorithm>
#include <unordered_map>

#include "ir/def_set.h"
#include "ir/questions.h"
#include "ir/world.h"

namespace mim::plug::autodiff {

class Dependence {
public:
    explicit Dependence(World& world)
        : world_(world) {}

    /// The variable is the argument of a function that is differentiated.
    void add(const Def* var) {
        vars_.insert(var);
        known_.clear();
    }

    bool of(const Def* def) {
        if (!def->is_mut() && !def->has(Def::HasDep)) return false;
        auto vars  = free_vars(world_, def);
        auto known = known_.find(vars.data());
        if (known != known_.end()) return known->second;
        bool depends               = std::ranges::any_of(vars, [&](auto var) { return vars_.contains(var); });
        return known_[vars.data()] = depends;
    }

private:
    World& world_;
    DefSet vars_;
    std::unordered_map<const void*, bool> known_; ///< by a set of variables, which the graph has once
};

} // namespace mim::plug::autodiff
