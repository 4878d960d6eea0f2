// SPDX-License-Identifier: MIT
// Functions that end for good: each call in which one ends only comes back through the continuations that it is given, and gets none.
#include <algorithm>

#include "linear/nodes.h"
#include "linear/tokens.h"

namespace mim {

namespace linear {

/// An axiom, applied or not, that knows no function but those that it gets next.
static bool is_plain_axiom(const Def* d) {
    for (; auto app = d->isa<App>(); d = app->callee())
        if (!is_static(app->arg()) && holds_function(app->arg()->type())) return false;
    return d->isa<Axm>();
}

/// What is called by the call that `lam` ends in, or through which that comes back, are λs that must end for good as well: these are added.
static bool ends_in(World& world, const Lam* lam, std::vector<const Lam*>& next) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others, unknown;
    auto app   = lam->is_set() ? lam->body()->isa<App>() : nullptr;
    auto match = lam->is_set() ? lam->body()->isa<Match>() : nullptr;
    if (app && is_never(app)) callees(app->callee(), lams, others);
    else if (match && is_never(match))
        for (auto arm : match->arms()) callees(arm, lams, others);
    else return false;
    if (app) std::erase_if(lams, [&](auto callee) { return is_closed(world, callee); }); // comes back through what it gets
    if (!std::ranges::all_of(others, is_plain_axiom)) return false;
    if (app && comes_back_elsewhere(world, app, holds_function)) return false;
    if (app)
        for (auto elem : return_elems(world, app)) callees(elem, lams, unknown);
    next.insert(next.end(), lams.begin(), lams.end());
    return unknown.empty();
}

} // namespace linear

bool ends_for_good(World& world, const Lam* lam) {
    std::vector<const Lam*> todo{lam};
    LamSet seen;
    while (!todo.empty()) {
        lam = todo.back();
        todo.pop_back();
        if (seen.insert(lam) && !linear::ends_in(world, lam, todo)) return false;
    }
    return true; // on the way around a loop as well
}

} // namespace mim
