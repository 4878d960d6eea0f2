// SPDX-License-Identifier: MIT
#include "captures.h"

#include <algorithm>

#include "analysis/program.h"
#include "base/worklist.h"

namespace mim::plug::clos {

DefVec Captures::operator()(const std::vector<const Lam*>& group) {
    for (auto var : free_vars(world_, group.front())) outer_.insert(var);
    find_enclosing(group.front());
    group_.insert(group.begin(), group.end());
    collect(group);
    wholes_.insert(leaves_.begin(), leaves_.end());
    auto is_part = [&](auto def) { return whole(def) != def; };
    if (std::ranges::any_of(leaves_, is_part)) {
        leaves_.clear();
        inner_.clear();
        seen_.clear();
        collect(group);
    }
    return std::move(leaves_);
}

void Captures::collect(const std::vector<const Lam*>& group) {
    for (auto lam : group) {
        if (!seen_.insert(lam).second) continue;
        visit(lam->type());
        visit(lam->filter());
        visit(lam->body());
    }
}

/// The largest value that is captured and that `def` is a part of: types may mention both, and must stay equal.
const Def* Captures::whole(const Def* def) {
    auto result = def;
    while (auto extract = def->isa<Extract>()) {
        def = extract->tuple();
        if (wholes_.contains(def)) result = def;
    }
    return result;
}

/// The functions that `def` is nested in: those of the variables it refers to, and those that these are nested in, also where `def` does not
/// refer to their variables.
void Captures::find_enclosing(const Def* def) {
    for (auto var : free_vars(world_, def)) {
        auto binder = var->as<Var>()->binder();
        if (enclosing_.insert(binder).second) find_enclosing(binder);
    }
}

/// From the outside in, so that the largest expression that is a leaf is found first.
void Captures::visit(const Def* root) {
    DefVec todo{root};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        if (is_closed(world_, def) || !seen_.insert(def).second) continue;
        if (is_leaf(def)) {
            auto value = whole(def);
            if (value == def || seen_.insert(value).second) leaf(value);
            continue;
        }
        if (def->isa<Var>()) continue;
        if (auto lam = def->isa<Lam>(); lam && lam->is_set() && !group_.contains(lam)) inner_.push_back(lam);
        for (size_t i = def->num_ops(); i-- != 0;)
            if (def->op(i)) todo.push_back(def->op(i));
        if (def->type() && !def->isa<Extract>() && !def->isa<App>()) todo.push_back(def->type());
    }
}

/// Its type goes first.
void Captures::leaf(const Def* def) {
    visit(def->type());
    leaves_.push_back(def);
}

/// A function around the group that is called in it has other values for the same variables then: it is called by its value. A value of
/// a function that is nested in one of the group's calls is of no use, since it belongs to other variables of that function.
bool Captures::is_leaf_function(const Lam* lam) {
    if (enclosing_.contains(lam)) return true;
    auto is_outer_var = [&](auto var) { return outer_.contains(var); };
    return is_outer_(lam) && std::ranges::all_of(free_vars(world_, lam), is_outer_var);
}

/// A projection of something outer belongs to it, unless the index is unknown.
bool Captures::is_leaf(const Def* def) {
    if (auto lam = def->isa<Lam>()) return !group_.contains(lam) && is_leaf_function(lam);
    while (auto extract = def->isa<Extract>()) {
        if (!extract->index()->isa<Lit>()) return false;
        def = extract->tuple();
    }
    return outer_.contains(def) || is_outer_effect(def);
}

/// An effect that phases suspended: whoever asks for it must ask the same one.
static bool is_suspended_effect(const Def* def) {
    auto axm = def->isa<App>() ? saturated_axiom(def) : nullptr;
    return axm && axm->axiom().has(Axiom::Suspends);
}

/// It happens outside, once; unless only code of the group evaluates it.
bool Captures::is_outer_effect(const Def* def) {
    bool is_suspended = is_suspended_effect(def);
    if (!is_effect(def) && !is_suspended) return false;
    for (auto var : free_vars(world_, def))
        if (!outer_.contains(var)) return false;
    if (is_suspended) return true;
    if (nested_.empty()) find_nested();
    return !happens_only_in(program_, def, [&](auto lam) { return nested_.contains(lam); });
}

void Captures::find_nested() {
    Worklist<const Def*> todo(group_);
    while (auto def = todo.next()) {
        auto lam        = def->isa<Lam>();
        bool is_outside = lam ? !group_.contains(lam) && is_leaf_function(lam) : bool(def->isa<Var>());
        if (is_outside || is_closed(world_, def)) continue;
        if (lam) nested_.insert(lam);
        todo.push_all(def->ops());
    }
}

} // namespace mim::plug::clos
