// SPDX-License-Identifier: MIT
// The part of the graph that is in one function, and in none of the functions in it.
#pragma once
#include <unordered_set>
#include <vector>

#include "ir/token_types.h"

namespace mim::plug::clos {

/// Calls `visit` for each node of the body of `lam`, functions included, but not for the nodes in those.
template<class F>
void each_in_body(const Lam* lam, F visit) {
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> todo{lam->body()};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (!def || is_static(def) || !seen.insert(def).second) continue;
        visit(def);
        if (def->isa<Lam>() || def->isa<Var>()) continue;
        for (auto op : def->ops()) todo.push_back(op);
    }
}

} // namespace mim::plug::clos
