// SPDX-License-Identifier: MIT
#include "linear/given_types.h"

#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

/// A type, or a tuple of types.
static bool is_types(const Def* def) {
    auto tuple = def->isa<Tuple>();
    auto pack  = def->isa<Pack>();
    if (pack && pack->is_set()) return is_types(pack->body());
    return is_static(def) || (tuple && tuple->num_ops() && std::ranges::all_of(tuple->ops(), is_types));
}

/// Whether what such a value is applied to may be a polymorphic function: its type is none in `*`, as universes are predicative.
static bool takes_polymorphic(World& world, const Def* type) {
    for (auto pi = type->isa<Pi>(); pi; pi = pi->codom()->isa<Pi>())
        if (level(world, pi->dom()) > 0) return true;
    return false;
}

/// Types that a type variable of a function, or of a package, may stand for. An axiom gives them to polymorphic functions that it gets, or to
/// those of its rules.
Defs GivenTypes::given_by(const Def* user) const {
    if (auto tuple = user->isa<Tuple>()) return is_types(tuple) ? Defs() : tuple->ops();
    auto app = user->isa<App>();
    if (!app || is_static(app)) return {};
    auto axm       = head_axiom(app);
    bool is_opaque = axm && check_.rules.functions(axm->axiom()).empty() && !takes_polymorphic(check_.world, app->type());
    return is_opaque ? Defs() : app->ops();
}

static bool is_never_type(const Def* types) {
    auto tuple = types->isa<Tuple>();
    auto pack  = types->isa<Pack>();
    if (pack && pack->is_set()) return is_never_type(pack->body());
    return tuple ? std::ranges::any_of(tuple->ops(), is_never_type) : types->node() == Node::Bot;
}

void GivenTypes::find() const {
    if (is_found_) return;
    is_found_ = true;
    std::vector<const Def*> todo;
    auto push_given = [&](const Def* user) {
        for (auto op : given_by(user))
            if (op && is_types(op)) todo.push_back(op);
    };
    for (auto d : nodes_) push_given(d);
    for (auto& rule : check_.world.rules.all())
        if (is_static(rule->rhs)) todo.push_back(rule->rhs);
    never_ = std::ranges::any_of(todo, is_never_type);
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || !seen.insert(d)) continue;
        if (d->type() && !holds_types(d->type())) { // a length, say: no type comes out of it
            push_given(d);
            for (auto op : value_ops(d))
                if (op && !is_types(op)) todo.push_back(op);
            continue;
        }
        if (auto pi = d->isa<Pi>()) {
            functions_.push_back(pi);
            continuation_ |= pi->is_cn();
        }
        if (d->is_set()) todo.insert(todo.end(), d->ops().begin(), d->ops().end());
    }
}

/*
 * of one variable
 */

/// Finds the calls of each λ that takes types, and those λs that somebody else may call.
void GivenTypes::find_calls() const {
    calls_are_found_ = true;
    auto takes_types = [](const Def* op) { return op && op->isa<Lam>() && holds_types(op->as<Lam>()->dom()); };
    for (auto d : nodes_) {
        auto app = d->isa<App>();
        if (app && takes_types(app->callee())) calls_[app->callee()].push_back(app);
        for (auto op : value_ops(d))
            if (takes_types(op) && !(app && app->callee() == op)) values_.insert(op);
    }
    for (auto& external : check_.world.externals) values_.insert(external.lam);
}

/// Adds what the calls pass for the variable: nothing, if there are none. False if others may call its λ: a rule may,
/// too.
bool GivenTypes::add_arguments(const Def* var, Worklist<const Def*>& todo) const {
    auto lam      = var->as<Var>()->binder()->isa<Lam>();
    bool is_known = lam && !values_.contains(lam) && check_.world.rules.all().empty();
    auto calls    = calls_.find(lam);
    if (!is_known || calls == calls_.end()) return is_known;
    for (auto app : calls->second) todo.push(app->arg());
    return true;
}

/// Adds the parts of a type, or of a value that holds types. False if they are not known.
bool GivenTypes::add_parts(const Def* given, Worklist<const Def*>& todo) const {
    if (given->isa<Var>()) return !holds_types(given->type()) || add_arguments(given, todo);
    bool is_known = is_types(given) || given->isa<Tuple>() || given->isa<Extract>() || !holds_types(given->type());
    if (is_known && given->is_set()) todo.push_all(given->ops());
    return is_known;
}

const std::vector<const Pi*>& GivenTypes::functions(const Def* var) const {
    if (functions().empty()) return functions_;
    if (!calls_are_found_) find_calls();
    auto [known, is_new] = by_variable_.try_emplace(var);
    if (!is_new) return known->second;
    Worklist<const Def*> todo{var};
    while (auto d = todo.next()) {
        if (auto pi = d->isa<Pi>()) known->second.push_back(pi);
        if (!add_parts(d, todo)) return known->second = functions_;
    }
    return known->second;
}

/*
 * types with variables
 */

bool GivenTypes::may_hold(const Def* type, const IsFunction& is_such) const {
    auto may_be_such = [&](const Def* var) { return std::ranges::any_of(functions(var), is_such); };
    bool variables   = check_.is_inlined() || std::ranges::any_of(free_vars(check_.world, type), may_be_such);
    return mim::may_hold(type, is_such, variables);
}

bool GivenTypes::may_hold_function(const Def* type) const {
    return may_hold(type, [](const Pi*) { return true; });
}

bool GivenTypes::takes_data(const Def* d) const { return is_continuation(d) && !may_hold_function(d->type()->as<Pi>()->dom()); }

/// Whether an element of the domain is a function whatever type variables stand for.
static bool takes_function(const Def* function) {
    auto is_function = [](const Def* type) { return type && type->isa<Pi>(); };
    auto pi          = function->isa<Pi>();
    auto sigma       = pi ? pi->dom()->isa<Sigma>() : nullptr;
    return pi && (is_function(pi->dom()) || (sigma && std::ranges::any_of(sigma->ops(), is_function)));
}

bool GivenTypes::may_be_same(const Def* type, const Def* other) const {
    auto takes_none = [&](const Def* function) { return function->isa<Pi>() && !may_hold_function(function->as<Pi>()->dom()); };
    if (takes_function(type) && takes_none(other)) return false;
    if (takes_function(other) && takes_none(type)) return false;
    return mim::may_be_same(check_.world, type, other, check_.is_inlined());
}

} // namespace mim::linear
