// SPDX-License-Identifier: MIT
#include "analysis/axiom_param.h"

namespace mim {

const Def* declared_param(World& world, const Def* callee, int i) {
    auto axm = head_axiom(callee);
    if (!axm || axm->axiom().kind != Axiom::Op) return nullptr;
    const Def* type = axm->type();
    for (auto n = num_groups(callee); n != 0; --n) {
        auto pi = type->isa<Pi>();
        if (!pi) return nullptr;
        type = pi->codom();
    }
    auto pi = type->isa<Pi>();
    if (!pi) return nullptr;
    auto n = lit_arity(world, pi->dom());
    if (i < 0) return n < 2 ? pi->dom() : nullptr;
    return i < n ? elem_decl(world, pi->dom(), size_t(i)) : nullptr;
}

} // namespace mim
