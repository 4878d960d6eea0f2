// SPDX-License-Identifier: MIT
// Application of a curried function to its groups, one after the other. The reductions that the filters ask for wait for each other,
// so that `f a b c` copies the body of f once; reducing `f a`, then `… b`, then `… c` copies what is left of f three times.
#pragma once
#include <vector>

#include "ir/world.h"

namespace mim {

/// A group of a λ and its argument.
struct Reduction {
    const Lam* lam;
    const Def* arg;
};

class Spine {
public:
    Spine(World& world, const Def* callee)
        : world_(world)
        , expr_(callee) {}

    /// The type of the application to the groups so far.
    const Def* type() const { return waiting_.empty() ? expr_->type() : type_; }
    /// Applies it to one more group. Checks, normalizes and throws as World::app does.
    void apply(const Def* arg);
    /// The application to the groups so far.
    const Def* get();
    /// The λ that gets the next group, if it is known; under the variables of those that wait.
    const Lam* lam() const { return expr_->isa<Lam>(); }
    /// The same if nothing waits, else null.
    const Def* applied() const { return waiting_.empty() ? expr_ : nullptr; }

private:
    const Lam* reducible(const Def* arg) const;

    World& world_;
    const Def* expr_;           ///< under the variables of waiting_
    const Def* type_ = nullptr; ///< while something waits
    std::vector<Reduction> waiting_;
};

/// The callee applied to all groups.
const Def* apply(World&, const Def* callee, Defs groups);

} // namespace mim
