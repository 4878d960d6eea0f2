// SPDX-License-Identifier: MIT
#include "linear/untracked.h"

#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

bool Untracked::may_hold_exit(const Def* type) {
    if (!types_) find();
    auto is_such = [&](const Pi* pi) {
        return std::ranges::any_of(*types_, [&](auto leading) { return check_.given_types.may_be_same(leading, pi); });
    };
    auto pi = type->isa<Pi>();
    return pi ? is_such(pi) : check_.given_types.may_hold(type, is_such);
}

void Untracked::find() {
    types_.emplace();
    auto& nodes = check_.facts.nodes();
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) visit(*node); // a function before those that its groups return
    while (auto value = values_.next()) follow(value);
}

void Untracked::add(const Def* value) {
    if (!is_static(value) && holds_function_itself(value->type())) values_.push(value);
}

void Untracked::visit(const Def* node) {
    if (auto inj = node->isa<Inj>()) return add(inj->value());
    if (auto app = node->isa<App>()) return visit_call(app);
    auto lam          = node->isa<Lam>();
    bool is_function  = lam && lam->is_set() && !lam->is_cn();
    bool is_somebodys = is_function && check_.direct.is_value(lam) && !next_groups_.contains(lam);
    if (is_somebodys) return add(lam->body());
    auto next        = is_function ? lam->body()->isa<Lam>() : nullptr;
    bool is_next_one = next && is_free_in(check_.world, lam->var(), next);
    if (is_next_one) next_groups_.insert(next);
}

/// The continuation that a call comes back to is called, and no value.
void Untracked::visit_call(const App* app) {
    if (is_tracked_in(app)) return;
    auto elems   = arg_elems(app);
    bool returns = is_never(app) && !elems.empty() && is_continuation(elems.back());
    for (auto elem : elems.first(elems.size() - returns)) add(elem);
    if (!head_axiom(app)) return;
    for (auto function : functions_so_far(app)) add(function); // also of earlier groups
}

/// An axiom without effects that makes no function of what it gets calls it, or does nothing with it. One that misses groups has done nothing yet.
static bool may_hand_on(const App* app, const Axm* axm) {
    if (!saturated_axiom(app) || is_never(app) || calls_continuation(axm)) return false;
    return axm->axiom().has(Axiom::Effect) || holds_function_itself(app->type());
}

/// Whether it is known where the elements of the argument go.
bool Untracked::is_tracked_in(const App* app) {
    if (auto axm = head_axiom(app->callee())) return !may_hand_on(app, axm);
    std::vector<const Lam*> lams;
    std::vector<const Def*> others, args;
    check_.returns.targets(app->callee(), lams, others);
    auto is_known = [&](const Lam* lam) { return lam->is_set() && check_.returns.arguments(lam->var(), args); };
    return others.empty() && std::ranges::all_of(lams, is_known);
}

void Untracked::follow(const Def* value) {
    if (auto lam = value->isa<Lam>()) {
        if (check_.leaving.leads_out(lam)) types_->insert(lam->type());
        return;
    }
    if (value->isa<App>()) { // a function that somebody applied may return what it got
        for (auto function : functions_so_far(value)) add(function);
        return;
    }
    std::vector<const Def*> args;
    bool is_known = check_.returns.arguments(value, args);
    if (!is_known && is_exit(value)) types_->insert(value->type());
    for (auto from : is_known ? Defs(args) : value_ops(value)) add(from);
}

} // namespace mim::linear
