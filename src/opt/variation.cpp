// SPDX-License-Identifier: MIT
#include "opt/variation.h"

#include <algorithm>

#include "base/components.h"
#include "opt/signature.h"

namespace mim::opt {

bool Variation::is_unbounded(const Lam* lam, size_t i) {
    auto [memo, is_new] = unbounded_.try_emplace(lam);
    if (is_new) memo->second = find(lam);
    return memo->second[i];
}

std::vector<bool> Variation::find(const Lam* lam) {
    auto n = num_parts(world_, lam->pi());
    std::vector<bool> result(n);
    for (auto user : program_.users(lam)) {
        auto app = user->isa<App>();
        if (!app || app->callee() != lam) continue;
        for (size_t i = 0; i != n; ++i)
            if (!result[i] && grows(lam, part_of(world_, app->arg(), n, i))) result[i] = true;
    }
    return result;
}

/// A function in `arg` depends on a variable of a function that `callee` calls, and that differs from call to call of `callee`.
bool Variation::grows(const Lam* callee, const Def* arg) {
    if (auto tuple = arg->isa<Tuple>()) return std::ranges::any_of(tuple->ops(), [&](auto op) { return grows(callee, op); });
    if (!arg->isa<Lam>() || is_closed(world_, arg)) return false;
    return std::ranges::any_of(free_vars(world_, arg), [&](auto var) {
        return !is_free_in(world_, var, callee) && is_in_recursion(callee, var->template as<Var>()->binder());
    });
}

bool Variation::is_in_recursion(const Lam* callee, const Def* binder) {
    if (callee == binder) return true;
    if (!program_.contains(callee) || !program_.contains(binder)) return false;
    if (components_.empty()) find_components();
    return components_[callee->id()] == components_[binder->id()];
}

/// Of the graph of all nodes and their operands: functions that reach each other are in one.
void Variation::find_components() {
    uint32_t size = 0;
    for (auto def : program_.nodes()) size = std::max(size, def->id() + 1);
    std::vector<std::vector<uint32_t>> succs(size);
    for (auto def : program_.nodes()) {
        if (def->isa<Var>()) continue;
        for (auto op : def->ops())
            if (op && program_.contains(op)) succs[def->id()].push_back(op->id());
    }
    components_ = components(size, [&](uint32_t v) -> auto& { return succs[v]; });
}

} // namespace mim::opt
