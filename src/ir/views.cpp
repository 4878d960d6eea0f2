// SPDX-License-Identifier: MIT
// Ways to look at expressions, see views.h.
#include "ir/views.h"

#include "ir/world.h"

namespace mim {

const Def* isa_idx(const Def* type) {
    auto app = type->isa<App>();
    return app && app->callee()->node() == Node::Idx ? app->arg() : nullptr;
}

const Axm* head_axiom(const Def* def) {
    while (auto app = def->isa<App>()) def = app->callee();
    return def->isa<Axm>();
}

const Def* group(const Def* app, size_t i) {
    for (auto after = num_groups(app) - 1 - i; after != 0; --after) app = app->as<App>()->callee();
    return app->as<App>()->arg();
}

const Def* elem(World& w, const Def* tuple, uint64_t i) {
    if (auto known = tuple->isa<Tuple>()) return known->op(i);
    return w.extract(tuple, i);
}

bool is_variable(const Def* def) {
    while (def->isa<Extract>()) def = def->as<Extract>()->tuple();
    return def->isa<Var>();
}

size_t num_groups(const Def* def) {
    size_t n = 0;
    for (; auto app = def->isa<App>(); def = app->callee()) ++n;
    return n;
}

const Def* last_codom(const Def* type) {
    auto behind = type; // at half the speed: on a circle it is caught up with
    for (bool is_odd = false; type->is_set() && type->isa<Pi>(); is_odd = !is_odd) {
        type = type->as<Pi>()->codom();
        if (type == behind) return type;
        if (is_odd) behind = behind->as<Pi>()->codom();
    }
    return type;
}

size_t num_params(const Def* type) {
    if (last_codom(type)->isa<Pi>()) return 0;
    size_t n = 0;
    for (auto pi = type->isa<Pi>(); pi; pi = pi->codom()->isa<Pi>()) ++n;
    return n;
}

bool calls_continuation(const Axm* axm) {
    if (last_codom(axm->type())->node() == Node::Bot) return false;
    bool any   = false;
    auto group = axm->type()->isa<Pi>();
    for (auto left = num_params(axm->type()); left-- != 0; group = group->codom()->isa<Pi>()) {
        auto function = group->dom()->isa<Pi>();
        any |= function && function->is_cn();
    }
    return any;
}

const Axm* saturated_axiom(const Def* def) {
    auto axm = head_axiom(def);
    return axm && num_groups(def) == axm->axiom().curry ? axm : nullptr;
}

} // namespace mim
