// SPDX-License-Identifier: MIT
// The part of the graph that is in one function, and in none of the functions in it.
#pragma once
#include "base/worklist.h"
#include "ir/token_types.h"

namespace mim::plug::clos {

/// Calls `visit` for each node of the body of `lam`, functions included, but not for the nodes in those.
template<class F>
void each_in_body(const Lam* lam, F visit) {
    Worklist<const Def*> todo{lam->body()};
    while (auto def = todo.next()) {
        if (is_static(def)) continue;
        visit(def);
        if (!def->isa<Lam>() && !def->isa<Var>()) todo.push_all(def->ops());
    }
}

} // namespace mim::plug::clos
