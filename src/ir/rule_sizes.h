// SPDX-License-Identifier: MIT
// Private to src/ir: a sum or product of Nats in the left side of a rule is an equation for the variables in it. `q · k` at the size 64 · n,
// where k is 32, makes q = 2 · n.
#pragma once
#include <vector>

#include "ir/rule.h"
#include "ir/world.h"

namespace mim {

class SizeEquations {
public:
    struct Equation {
        const Def *pattern, *def;
    };

    SizeEquations(World& world, const RewriteRule& rule)
        : world_(world)
        , var_(rule.binder->var()) {}

    /// A sum or a product.
    static bool is_size(const Def*);
    /// The pattern variable of this number.
    const Def* variable(size_t i) const;
    /// With what stands for the variables, as far as that is found.
    const Def* with(const Def* pattern, const std::vector<const Def*>& found) const;
    /// Puts what follows from all equations into `found`, where it is a number from 0 on whatever the variables of the program are.
    void solve(const std::vector<Equation>&, std::vector<const Def*>& found) const;

private:
    World& world_;
    const Def* var_;
};

} // namespace mim
