// SPDX-License-Identifier: MIT
#include "ir/settle.h"

#include <unordered_set>
#include <vector>

#include "ir/impl.h"
#include "ir/subst.h"

namespace mim {

void settle_types(World& world, std::span<Lam* const> lams) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> work;
    auto visit = [&](const Def* def) {
        bool is_other = def->isa<Lam>() && is_closed(world, def); // has no part in this
        if (!is_other && seen.insert(def).second) work.push_back(def);
    };
    auto settle = [&](const Def* def, const Def* type) {
        if (type->is_unstable()) world.impl().set_type(const_cast<Def*>(def), world.refresh(type));
    };
    for (auto lam : lams) {
        if (seen.insert(lam).second) work.push_back(lam);
        if (auto var = lam->var()->isa<Var>()) world.impl().set_type(const_cast<Var*>(var), lam->pi()->dom());
    }
    while (!work.empty()) {
        auto def = work.back();
        work.pop_back();
        if (def->type()) settle(def, def->type());
        for (auto op : def->ops())
            if (op) visit(op);
    }
}

} // namespace mim
