// SPDX-License-Identifier: MIT
// See c_types.h.
#include "analysis/c_types.h"

#include <algorithm>

namespace mim {

CTypes::CTypes(Program& program)
    : world_(program.world()) {
    for (auto& ext : world_.externals) signature(ext.lam->pi());
    for (auto axm : program.c_functions())
        if (auto pi = axm->type()->isa<Pi>()) signature(pi);
}

/// The return continuation is no value: only its parameters are.
void CTypes::signature(const Pi* pi) {
    auto view = view_pi(world_, pi);
    for (auto& p : view.params) add(p.type);
    if (view.result) add(view.result);
}

void CTypes::add(const Def* root) {
    std::vector<const Def*> todo{root};
    while (!todo.empty()) {
        auto type = todo.back();
        todo.pop_back();
        if (!seen_.insert(type).second) continue;
        auto pi = type->isa<Pi>();
        if (pi && !pi->codom()->isa<Sort>()) {
            types_.push_back(pi);
            signature(pi);
        } else if (!type->isa<Var>()) {
            for (auto op : type->ops())
                if (op) todo.push_back(op);
        }
    }
}

bool CTypes::contains(const Def* pi) {
    auto [i, fresh] = known_.try_emplace(pi, false);
    if (fresh) i->second = std::any_of(types_.begin(), types_.end(), [&](auto type) { return equal(world_, type, pi); });
    return i->second;
}

} // namespace mim
