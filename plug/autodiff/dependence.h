// SPDX-License-Identifier: MIT
// Which expressions depend on the arguments of what is differentiated. All others are constant.
#pragma once
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "autodiff.h"
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

    /// Whether it refers to a value with tangents, also in a function in it: not only to an index, or another constant.
    bool refers_to_active(const Def* root) {
        std::vector<const Def*> work{root};
        std::unordered_set<const Def*> visited;
        while (!work.empty()) {
            auto def = work.back();
            work.pop_back();
            bool is_constant = !of(def) || has_no_tangent(world_, def->type());
            if (is_constant || !visited.insert(def).second) continue;
            if (def->isa<Var>()) return true;
            if (auto lam = def->isa<Lam>()) work.push_back(lam->body());
            else work.insert(work.end(), def->ops().begin(), def->ops().end());
        }
        return false;
    }

private:
    World& world_;
    DefSet vars_;
    std::unordered_map<const void*, bool> known_; ///< by a set of variables, which the graph has once
};

} // namespace mim::plug::autodiff
