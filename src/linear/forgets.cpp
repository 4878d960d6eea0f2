// SPDX-License-Identifier: MIT
#include "linear/forgets.h"

#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

/// It stores nothing without a token, nor do functions that it gets: those that capture tokens are no values. C may make tokens.
bool Forgetting::keeps_nothing(const Lam* lam) {
    return lam->is_set() && is_closed(c_.world, lam) && !c_.facts.is_token(lam->var()) && !c_.repeats.hides_in(lam);
}

/// Finds the parts of variables around the λ that hold functions, and that it mentions. False if it captures a token.
bool Forgetting::find_functions_around(const Lam* lam, std::vector<const Def*>& res) {
    std::vector<const Def*> todo{lam};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || is_static(d) || is_closed(c_.world, d) || !seen.insert(d)) continue;
        auto binder = binder_of(d);
        if (!binder) {
            auto ops = value_ops(d);
            todo.insert(todo.end(), ops.begin(), ops.end());
        } else if (is_free_in(c_.world, binder->var(), lam)) {
            if (c_.facts.is_token(d)) return false;
            if (holds_function(d->type())) res.push_back(d);
        }
    }
    return true;
}

/// Whether the functions in the value know only closed functions: the value is made of such, by calls as well, or is a parameter that
/// stands for such values. The result of an effect may come from memory. `returned`: it is so if it is so of what these calls return with.
bool Forgetting::knows_only_closed(const Def* value, std::vector<const App*>& returned) {
    std::vector<const Def*> todo{value};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || is_static(d) || !holds_function(d->type()) || is_closed(c_.world, d) || !seen.insert(d)) continue;
        if (auto lam = d->isa<Lam>()) {
            if (!find_functions_around(lam, todo)) return false;
        } else if (binder_of(d)) {
            if (c_.returns.arguments(d, todo) || is_returned(d, returned)) continue;
            auto element = d->isa<Extract>(); // at an index that nobody knows: it is one of all
            if (!element) return false;
            todo.push_back(element->tuple());
        } else {
            auto ops = value_ops(d);
            if (std::ranges::any_of(ops, [&](auto op) { return op && !is_static(op) && c_.facts.is_token(op); })) return false;
            todo.insert(todo.end(), ops.begin(), ops.end());
        }
    }
    return true;
}

/// Whether the parameter is one of a function that is only what calls return to: it stands for what these return with.
bool Forgetting::is_returned(const Def* param, std::vector<const App*>& calls) {
    auto lam  = binder_of(param)->isa<Lam>();
    auto uses = lam ? uses_.find(lam) : uses_.end();
    if (uses == uses_.end() || uses->second.is_value || !uses->second.calls.empty()) return false;
    auto& passed = uses->second.passed;
    calls.insert(calls.end(), passed.begin(), passed.end());
    return !passed.empty();
}

bool Forgetting::returns_only_closed(const App* app) {
    auto known = returns_only_closed_.find(app);
    if (known != returns_only_closed_.end()) return known->second;
    bool res = find_returns_only_closed(app);
    return returns_only_closed_.emplace(app, res).first->second;
}

/// The functions that a λ passes to its last parameter know nothing of what it got: it is only called with closed ones,
/// and passed on to functions of which the same holds.
bool Forgetting::find_returns_only_closed(const App* app) {
    if (uses_.empty()) {
        for (auto d : c_.facts.nodes()) note_uses(d);
        for (auto& external : c_.world.externals) uses_[external.lam].is_value = true;
    }
    std::vector<const Lam*> todo;
    if (!add_callees(app->callee(), todo)) return false;
    return each_return(todo, [&](const App* call) {
        std::vector<const App*> returned; // these are asked in turn, so a recursion needs nothing but its base
        for (auto elem : arg_elems(call))
            if (!knows_only_closed(elem, returned)) return false;
        return std::ranges::all_of(returned, [&](auto inner) { return add_callees(inner->callee(), todo); });
    });
}

/// Calls on_return for each call of what these λs return to; it may add more λs. False if it says so, or if somebody may return who is
/// not known.
template<class F>
bool Forgetting::each_return(std::vector<const Lam*>& todo, F on_return) {
    LamSet seen;
    while (!todo.empty()) {
        auto lam = todo.back();
        todo.pop_back();
        if (!seen.insert(lam)) continue;
        if (!lam->is_set()) return false;
        auto last = last_param(c_.world, lam);
        auto uses = uses_.find(last);
        auto all  = uses_.find(lam->var());
        if (all != uses_.end() && all->second.is_value) return false;
        if (uses == uses_.end()) continue;
        if (uses->second.is_value) return false;
        for (auto call : uses->second.passed)
            if (!add_callees(call->callee(), todo)) return false;
        if (!std::ranges::all_of(uses->second.calls, on_return)) return false;
    }
    return true;
}

/// Adds the λs that this callee may be. False if it may be something else.
bool Forgetting::add_callees(const Def* callee, std::vector<const Lam*>& lams) {
    std::vector<const Def*> others;
    callees(callee, lams, others);
    return std::ranges::all_of(others, [&](auto other) {
        auto known = functions_of(other);
        if (!known) return false;
        lams.insert(lams.end(), known->begin(), known->end());
        return true;
    });
}

/// The λs that a parameter stands for, if all calls of its λ are known, or all that return to it; null if it may be something else.
const std::vector<const Lam*>* Forgetting::functions_of(const Def* param) {
    auto [it, is_new] = functions_of_.try_emplace(param); // nothing is known while it is asked for
    auto& answer      = it->second;
    if (!is_new) return answer ? &*answer : nullptr;
    if (!binder_of(param)) return nullptr;
    std::vector<const Lam*> res;
    std::vector<const Def*> args;
    bool is_called = c_.returns.arguments(param, args);
    auto add       = [&](const Def* arg) { return add_callees(arg, res); };
    bool all_known = is_called ? std::ranges::all_of(args, add) : find_returned(param, res);
    if (!all_known) return nullptr;
    answer = std::move(res);
    return &*answer;
}

/// Adds the λs with which calls return to the λ of this parameter.
bool Forgetting::find_returned(const Def* param, std::vector<const Lam*>& res) {
    std::vector<const App*> calls;
    if (!is_returned(param, calls)) return false;
    std::vector<const Lam*> callees;
    auto add_returned = [&](const App* call) {
        auto value = element_for(param, call);
        return value && add_callees(value, res);
    };
    return std::ranges::all_of(calls, [&](auto call) { return add_callees(call->callee(), callees); })
           && each_return(callees, add_returned);
}

/// The argument of the call that this part of a variable gets if its λ is called so; null if it is not one of them.
const Def* Forgetting::element_for(const Def* param, const App* call) {
    if (param->isa<Var>()) return call->arg();
    auto part  = param->isa<Extract>();
    auto index = part && part->tuple()->isa<Var>() ? isa_lit(part->index()) : nullptr;
    auto elems = arg_elems(call);
    return index && index->value() < elems.size() ? elems[index->value()] : nullptr;
}

/// Parts of parameters, and λs.
static bool has_uses(const Def* d) { return d->isa<Lam>() || binder_of(d); }

/// Where a parameter or a λ is called, where it is what a call returns to, and whether it is used in any other way.
void Forgetting::note_uses(const Def* user) {
    auto part = binder_of(user) ? user->isa<Extract>() : nullptr;
    if (part && !isa_lit(part->index())) note_value(part->tuple());
    if (binder_of(user)) return;
    auto app   = user->isa<App>();
    auto elems = app ? arg_elems(app) : Defs();
    if (app && has_uses(app->callee())) uses_[app->callee()].calls.push_back(app);
    auto last = app && is_never(app) && !elems.empty() && is_continuation(elems.back()) ? elems.back() : nullptr;
    if (last && has_uses(last)) uses_[last].passed.push_back(app);
    if (user->node() == Node::Tuple) return; // the call that gets it says how
    for (auto op : app ? elems : value_ops(user))
        if (op && op != last && !is_static(op)) note_value(op);
}

/// A part of a parameter, or a λ, is used as a value, by itself or in a tuple.
void Forgetting::note_value(const Def* value) {
    std::vector<const Def*> todo{value};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (is_static(d) || !seen.insert(d)) continue;
        if (has_uses(d)) uses_[d].is_value = true;
        if (d->node() != Node::Tuple) continue;
        for (auto op : d->ops()) // a table has thousands of literals
            if (op->node() != Node::Lit) todo.push_back(op);
    }
}

bool Forgetting::forgets(const App* app) {
    if (!c_.is_inlined() || !is_never(app)) return false;
    if (app->id() >= forgets_.size()) forgets_.resize(app->id() + app->id() / 2 + 64);
    auto known = forgets_[app->id()];
    if (known == Answer::Unknown) {
        known               = find(app) ? Answer::Yes : Answer::No;
        forgets_[app->id()] = known;
    }
    return known == Answer::Yes;
}

bool Forgetting::find(const App* app) {
    if (c_.returns.is_return(app->callee())) return false;
    auto elems      = arg_elems(app);
    bool comes_back = !elems.empty() && is_continuation(elems.back());
    if (comes_back && !is_exit(elems.back()) && !returns_only_closed(app)) return false;
    if (!c_.repeats.stores_in(app)) return true;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    callees(app->callee(), lams, others);
    return others.empty() && std::ranges::all_of(lams, [&](auto lam) { return keeps_nothing(lam); });
}

bool Forgetting::is_exit_of(const App* app, size_t i) {
    auto elems    = call_elems(c_.world, app);
    bool is_clear = elems[i]->isa<Lam>() || binder_of(elems[i]);
    if (!is_clear || !is_exit(elems[i]) || !forgets(app)) return false;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    callees(app->callee(), lams, others);
    auto takes_all = [&](auto lam) {
        return c_.summaries.fn(lam) && lit_arity(c_.world, lam->dom()) == static_cast<int64_t>(elems.size());
    };
    return others.empty() && std::ranges::all_of(lams, takes_all);
}

} // namespace mim::linear
