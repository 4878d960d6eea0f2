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

bool Untracked::may_lead_out(const Lam* lam) {
    auto [known, is_new] = leading_.try_emplace(lam, false);
    if (is_new) known->second = check_.leaving.leads_out(lam) || calls_exit(lam);
    return leading_.at(lam);
}

/// The λ, or one that it ends in, calls such a function.
bool Untracked::calls_exit(const Lam* lam) {
    Worklist<const Lam*> todo{lam};
    auto may_be_exit = [&](const Def* other) { return !head_axiom(other) && may_hold_exit(other->type()); };
    while (auto next = todo.next()) {
        auto f = check_.summaries.fn(next);
        if (!f) continue;
        for (auto& end : f->ends) {
            if (std::ranges::any_of(end.others, may_be_exit)) return true;
            todo.push_all(end.callees), todo.push_all(end.returns), todo.push_all(end.last);
        }
    }
    return false;
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
    if (auto match = node->isa<Match>()) return visit_arms(match);
    if (auto insert = node->isa<Insert>()) return add(insert->tuple()), add(insert->value());
    auto lam         = node->isa<Lam>();
    bool is_function = lam && lam->is_set() && !lam->is_cn();
    if (is_function) visit_result(lam);
}

void Untracked::visit_arms(const Match* match) {
    for (auto arm : match->arms())
        if (auto lam = arm->isa<Lam>(); lam && lam->is_set()) add(lam->body());
}

/// A function that known ones return is followed, but none that they return in an aggregate.
void Untracked::visit_result(const Lam* lam) {
    bool is_somebodys = check_.direct.is_value(lam) && !next_groups_.contains(lam);
    bool is_aggregate = !lam->body()->type()->isa<Pi>();
    if (is_somebodys || is_aggregate) return add(lam->body());
    auto next        = lam->body()->isa<Lam>();
    bool is_next_one = next && is_free_in(check_.world, lam->var(), next);
    if (is_next_one) next_groups_.insert(next);
}

/// An axiom without effects that makes no function of what it gets calls it, or does nothing with it. One that misses
/// groups has done nothing yet.
static bool may_hand_on(const App* app, const Axm* axm) {
    if (!saturated_axiom(app) || is_never(app) || calls_continuation(axm)) return false;
    return axm->axiom().has(Axiom::Effect) || holds_function_itself(app->type());
}

void Untracked::visit_call(const App* app) {
    if (auto axm = head_axiom(app->callee())) {
        bool is_rewritten = !check_.rules.functions(axm->axiom()).empty();
        if (!is_rewritten && !may_hand_on(app, axm)) return;
        for (auto function : functions_so_far(app)) add(function);
        return;
    }
    std::vector<const Lam*> lams;
    std::vector<const Def*> others, args;
    check_.returns.targets(app->callee(), lams, others);
    auto is_tracked = [&](const Lam* lam) { return lam->is_set() && check_.returns.arguments(lam->var(), args); };
    if (others.empty() && std::ranges::all_of(lams, is_tracked)) return;
    // known functions only return through what they get last
    auto elems       = arg_elems(app);
    auto is_returned = [&](const Lam* lam) { return lam->is_set() && !check_.returns.uses_as_value(lam); };
    bool has_return  = is_never(app) && !elems.empty() && is_continuation(elems.back());
    bool comes_back  = has_return && others.empty() && std::ranges::all_of(lams, is_returned);
    for (auto elem : elems.first(elems.size() - comes_back)) add(elem);
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
