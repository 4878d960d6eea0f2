// SPDX-License-Identifier: MIT
#include "kit/replace_vars.h"

#include <algorithm>

#include "ir/questions.h"

namespace mim {

ReplaceVars::ReplaceVars(World& world, const Values& values)
    : Rewriter(world) {
    for (auto [var, value] : values) replace(var, value);
}

void ReplaceVars::replace(const Def* var, const Def* value) {
    map(var, value);
    replaced_.insert(var);
}

bool ReplaceVars::needs(const Def* def) {
    return std::ranges::any_of(free_vars(world(), def), [&](auto var) { return is_replaced(var); });
}

/// Its copy has another variable.
const Def* ReplaceVars::rewrite_mut(const Def* def) {
    if (def->var()) replaced_.insert(def->var());
    return Rewriter::rewrite_mut(def);
}

} // namespace mim
