// SPDX-License-Identifier: MIT
// Private to src/ir: comparison up to α, with or without filling placeholders.
#pragma once
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/impl.h"

namespace mim {

class Unifier {
public:
    Unifier(World& world, bool fill)
        : world_(world)
        , fill_(fill) {}
    bool unify(const Def*, const Def*);

private:
    bool unify_var(const Def*, const Def*) const;
    bool unify_recursive_array(const Def* a, const Def* b);
    bool unify_imm(const Def*, const Def*);
    bool unify_mut(const Def*, const Def*);
    bool unify_union(const Def*, const Def*);
    bool unify_elems(const Def*, const Def*);
    std::optional<bool> unify_structured(const Def*, const Def*);
    bool solve(const Hole*, const Def* value);
    std::optional<bool> solve_element(const Hole*, const Def* index, const Def* value);
    bool mentions_bound(const Def*);

    World& world_;
    bool fill_;
    std::vector<std::pair<const Def*, const Def*>> pairs_;   ///< variables that the binders entered so far pair
    std::vector<std::pair<const Def*, const Def*>> assumed_; ///< mutables under comparison
    std::unordered_set<std::pair<const Def*, const Def*>, World::Impl::PairHash> seen_;
};

} // namespace mim
