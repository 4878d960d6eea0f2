// SPDX-License-Identifier: MIT
#include "opt/frames.h"

#include <algorithm>

namespace mim::opt {

std::unordered_set<const Lam*> frames(World& world, const Snapshot& program) {
    std::unordered_set<const Lam*> result;
    if (std::ranges::none_of(program.axioms(), [](auto axiom) { return axiom->has(Axiom::Activation); })) return result;
    std::vector<const Def*> work;
    for (auto def : program.nodes())
        if (auto axm = saturated_axiom(def); axm && axm->axiom().has(Axiom::Activation)) work.push_back(def);
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        for (auto var : free_vars(world, def))
            if (auto lam = var->as<Var>()->binder()->isa<Lam>(); lam && result.insert(lam).second) work.push_back(lam);
    }
    return result;
}

} // namespace mim::opt
