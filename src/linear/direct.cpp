// SPDX-License-Identifier: MIT
// Functions in direct style, and where they are called. Such a function comes back to who calls it, unless it calls one that leaves, as in
//
//     λ (x: Nat): Nat = %direct.cps2ds stop x
//
// A *call in direct style* is an application, or a `match`, that has a value, in which code of λs may run. It stands among the operands of a λ:
// the λ makes it. No path leads from the call to the rest of the λ. The judgement, for a λ f that makes a call:
//
//     the call may leave through x                        ⟹  f may leave through x
//     the call may come back again                        ⟹  f may call its return again (repeats.cpp)
//     the call may do one of both, a token waits for it   ⟹  E301, E300
//     f captures what an older call of this kind makes    ⟹  the call may happen in f, by need: what f makes waits for it
//
// and for the call of g with a:
//
//     g is a λ that leaves through x, which is around g   ⟹  through x
//     a is, or holds, a continuation                      ⟹  through it: g, or what g calls, may call it
//     a function of the type of g leaves, and is a value  ⟹  somewhere that nobody knows, if g is not known
//
// A token waits for the call if it exists before the call comes back, is no part of what the call is made from, and is still there afterwards:
// so it is none that was consumed for the call, and none that is made from the result. All calls come back exactly once unless some
// axiom got a function that does not: most programs end here. Where the λs leave is a least fixed point: see leaving.cpp.
#include "linear/direct.h"

#include <algorithm>
#include <unordered_map>

#include "linear/check.h"

namespace mim::linear {

/// Calls `see` with the operands that the end of a λ evaluates: all but the functions that it goes on with.
template<class F>
static void visit_end(const Def* body, F see) {
    std::vector<const Def*> todo{body};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d) || d->isa<Lam>()) continue;
        auto app    = d->isa<App>();
        auto match  = d->isa<Match>();
        auto choice = isa_choice(d);
        if (match && is_never(d)) {
            see(match->scrutinee());
            for (auto arm : match->arms()) todo.push_back(arm);
        } else if (app && is_never(d)) {
            todo.push_back(app->callee());
            for (auto elem : arg_elems(app)) todo.push_back(elem);
        } else if (choice && d->type()->isa<Pi>()) {
            see(d->as<Extract>()->index());
            for (auto function : choice->ops()) todo.push_back(function);
        } else {
            see(d);
        }
    }
}

/*
 * calls
 */

/// It has got as many arguments as its type says, before anything is known of its type variables.
static bool is_saturated(const App* app, const Axm* axm) {
    size_t groups = 0;
    for (auto pi = axm->type()->isa<Pi>(); pi; pi = pi->codom()->isa<Pi>()) ++groups;
    return num_groups(app) >= groups;
}

/// The functions that an axiom got: what lies behind a pointer is none of them.
static std::vector<const Def*> own_functions(const App* app) {
    auto res = functions_so_far(app);
    std::erase_if(res, [](auto function) { return !holds_function_itself(function->type()); });
    return res;
}

/// Whether code that is not an axiom's may run here, and there is a result. An axiom calls only functions that it gets, and none if it has
/// an effect; unless a rule replaces it.
bool DirectCalls::is_call(const Def* def) {
    if (is_static(def) || is_never(def)) return false;
    if (def->isa<Match>()) return true;
    auto app = def->isa<App>();
    auto axm = app ? head_axiom(app->callee()) : nullptr;
    if (!axm) return app;
    if (!is_saturated(app, axm)) return false;
    if (!check_.rules.functions(axm->axiom()).empty()) return true;
    return !axm->axiom().has(Axiom::Effect) && !own_functions(app).empty();
}

/// Whether an axiom in direct style gets a function here that may leave, or come back again. Without such an axiom, no function in direct style
/// does either.
bool DirectCalls::is_source(const Def* def) {
    if (is_never(def)) return false;
    auto app = def->isa<App>();
    auto axm = app ? head_axiom(app->callee()) : nullptr;
    if (!axm || axm->axiom().has(Axiom::Effect)) return false;
    auto is_harmless = [&](auto lam) { return is_closed(check_.world, lam) && !check_.repeats.function(lam); };
    for (auto function : own_functions(app)) {
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(function, lams, others);
        if (!others.empty() || !std::ranges::all_of(lams, is_harmless)) return true;
    }
    return false;
}

void DirectCalls::find() {
    auto is_such = [&](const Def* d) { return is_source(d); };
    if (std::ranges::none_of(nodes_, is_such) && !check_.given_types.never()) return;
    on_the_way_ = find_way_from([&](const Def* d) { return is_call(d); });
    for (auto d : nodes_)
        if (auto f = d->isa<Lam>() && on_the_way_.contains(d) ? check_.summaries.fn(d->as<Lam>()) : nullptr) find_calls(*f);
    for (auto d : on_the_way_)
        if (auto around = around_.find(d); around != around_.end() && !is_effect(d)) add(d, around->second);
    add_effects();
    check_.repeats.forget();
    find_made_values();
}

/// The nodes from which the way starts, and what is made from one, up to the λs around it.
DefSet DirectCalls::find_way_from(const IsSuchNode& is_start) {
    std::unordered_map<const Def*, std::vector<const Def*>> users;
    std::vector<const Def*> todo;
    for (auto d : nodes_) {
        if (is_static(d)) continue;
        if (is_start(d)) todo.push_back(d);
        for (auto op : value_ops(d))
            if (op && !op->isa<Lam>() && !is_static(op)) users[op].push_back(d);
        for (auto value : check_.facts.type_values(d))
            if (!value->isa<Lam>()) users[value].push_back(d);
    }
    DefSet res;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!res.insert(d)) continue;
        auto found = users.find(d);
        if (found != users.end()) todo.insert(todo.end(), found->second.begin(), found->second.end());
    }
    return res;
}

void DirectCalls::find_calls(Fn& f) {
    std::vector<const Def*> todo{f.lam->body()};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || d->isa<Lam>() || !on_the_way_.contains(d) || !seen.insert(d)) continue;
        if (is_call(d)) around_[d].push_back(&f);
        auto ops      = value_ops(d);
        auto in_types = check_.facts.type_values(d);
        todo.insert(todo.end(), ops.begin(), ops.end());
        todo.insert(todo.end(), in_types.begin(), in_types.end());
    }
}

/// Finds the functions that axioms make of others. They may call the functions that they get.
void DirectCalls::find_made_values() {
    for (auto d : nodes_) {
        auto pi       = d->isa<App>() ? d->type()->isa<Pi>() : nullptr;
        bool is_value = pi && head_axiom(d) && this->is_value(d) && !functions_so_far(d).empty();
        if (!is_value) continue;
        made_values_.push_back(d);
        if (holds_function(pi->dom())) taker_types_.insert(pi);
    }
}

bool DirectCalls::is_value(const Def* function) {
    if (values_) return values_->contains(function);
    values_.emplace();
    auto use = [&](const Def* op) {
        if (op && op->type()->isa<Pi>()) values_->insert(op);
    };
    for (auto d : nodes_) {
        auto app   = d->isa<App>();
        auto match = d->isa<Match>();
        if (app) use(app->arg());
        else if (match) use(match->scrutinee());
        else
            for (auto op : value_ops(d)) use(op);
    }
    return values_->contains(function);
}

/// The call takes a token or makes one.
bool DirectCalls::is_effect(const Def* call) {
    auto app = call->isa<App>();
    return check_.facts.is_token(call) || check_.facts.is_token(app ? app->arg() : call->as<Match>()->scrutinee());
}

/// An effect belongs to the λ that evaluates it, though only a function inside may mention it; and to that one as
/// well, if it may be called before the effect has happened.
void DirectCalls::add_effects() {
    for (auto d : on_the_way_) {
        auto mentioning = is_call(d) && is_effect(d) ? around_.find(d) : around_.end();
        if (mentioning == around_.end()) continue;
        for (auto f : mentioning->second)
            if (!f->keys.contains({d, Mode::Value}) && !has_happened(d, *f)) f->direct_calls.push_back(d);
    }
    for (auto& f : check_.summaries.all())
        for (auto& [d, mode] : f.keys) {
            if (mode != Mode::Value || !is_call(d) || !is_effect(d)) continue;
            f.direct_calls.push_back(d);
            around_[d].push_back(&f);
        }
}

/// Of the λs that mention a call, most only use what was made of its result. Calls that are not effects are made by need: by no λ inside of one that always
/// needs it.
void DirectCalls::add(const Def* call, std::vector<Fn*>& around) {
    if (!is_closed(check_.world, call)) keep_first_makers(call, around);
    for (auto f : around) f->direct_calls.push_back(call);
}

/// Inner λs come before those around them. A λ that operands of `outer` enter may run before the call; the others run
/// behind it.
void DirectCalls::keep_first_makers(const Def* call, std::vector<Fn*>& around) {
    for (size_t i = around.size(), asked = 0; i-- > 1 && asked < MaxAsked; ++asked) {
        auto outer = around[i];
        if (!check_.needs.evaluated(outer->lam->body()).contains(call)) continue;
        auto& early    = entered_early(*outer);
        auto is_behind = [&](auto f) {
            bool is_inside = f != outer && is_free_in(check_.world, outer->lam->var(), f->lam);
            return is_inside && !early.contains(f->lam);
        };
        std::erase_if(around, is_behind);
        i = std::ranges::find(around, outer) - around.begin();
    }
}

/// The λs inside of f that may be entered before f ends: those that its operands mention, and all that these mention.
const LamSet& DirectCalls::entered_early(const Fn& f) {
    auto [known, is_new] = entered_early_.try_emplace(&f);
    if (!is_new) return known->second;
    auto& res = known->second;
    DefSet seen;
    std::vector<const Def*> todo;
    auto add = [&](const Def* d) {
        if (d && !is_static(d)) todo.push_back(d);
    };
    visit_end(f.lam->body(), add);
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d)) continue;
        auto lam = d->isa<Lam>();
        if (lam && is_closed(check_.world, lam)) continue;
        if (lam) res.insert(lam);
        std::ranges::for_each(value_ops(d), add);
        std::ranges::for_each(check_.facts.type_values(d), add);
    }
    return res;
}

/*
 * where control goes
 */

/// Adds the λs that the callee may be, and calls `see` with the other functions, until it says no. It may add to `todo` what else the
/// callee may be.
template<class See>
bool DirectCalls::each_target(const Def* callee, std::vector<const Lam*>& lams, See see) {
    std::vector<const Def*> todo{callee};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d)) continue;
        std::vector<const Def*> others;
        check_.returns.targets(d, lams, others);
        for (auto other : others)
            if (!see(other, todo)) return false;
    }
    return true;
}

/// Adds the functions that the call may enter. A function that a known one returns is known, too.
void DirectCalls::resolve(const Def* callee, End& end) {
    each_target(callee, end.callees, [&](const Def* other, std::vector<const Def*>& todo) {
        if (head_axiom(other)) add_functions_of(other, end);
        else if (!add_results(other, todo)) end.others.push_back(other);
        return true;
    });
}

/// A function that an axiom has made of others calls these, and those that it gets.
void DirectCalls::add_functions_of(const Def* axiom_value, End& end) {
    end.others.push_back(axiom_value);
    end.by_axiom = true;
    for (auto function : functions_so_far(axiom_value)) add_passed(function, end);
}

/// A value that what is called gets, and may call.
void DirectCalls::add_passed(const Def* value, End& end) {
    if (!adding_.insert(value)) return;
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    check_.returns.targets(value, lams, others);
    for (auto lam : lams) {
        bool leaves_by_arguments = !lam->is_cn() && is_closed(check_.world, lam); // they are what is passed, or its caller's own
        if (leaves_by_arguments) continue;
        end.passed.push_back(lam);
        bool returns = lam->is_set() && !lam->is_cn() && holds_function(lam->body()->type());
        if (returns) visit_parts(lam->body(), [&](const Def* result) { add_passed(result, end); });
    }
    for (auto other : others) {
        if (head_axiom(other)) {
            for (auto function : functions_so_far(other)) add_passed(function, end);
            continue;
        }
        if (auto inj = other->isa<Inj>()) {
            add_passed(inj->value(), end);
            continue;
        }
        std::vector<const Def*> results;
        if (add_results(other, results)) {
            for (auto result : results) add_passed(result, end);
            continue;
        }
        auto pi      = other->type()->isa<Pi>();
        bool is_exit = pi && pi->is_cn() && !last_continuation(pi) && binder_of(other);
        if (is_exit) end.params.push_back(other);
        else end.passed_others.push_back(other);
    }
}

/// Adds the functions that the callee may be, if all are known. One may be what another call returns, `depth` calls inside of each other.
bool DirectCalls::add_makers(const Def* callee, size_t depth, std::vector<const Lam*>& makers) {
    return each_target(callee, makers,
                       [&](const Def* other, std::vector<const Def*>& todo) { return add_results(other, todo, depth); });
}

/// Adds what the call may return, if it enters known functions only.
bool DirectCalls::add_results(const Def* call, std::vector<const Def*>& results, size_t depth) {
    auto app = call->isa<App>();
    if (!app || head_axiom(app) || depth == 0) return false;
    std::vector<const Lam*> makers;
    auto is_known = [](const Lam* maker) { return maker->is_set() && !maker->is_cn(); };
    if (!add_makers(app->callee(), depth - 1, makers) || !std::ranges::all_of(makers, is_known)) return false;
    for (auto maker : makers) results.push_back(maker->body());
    return true;
}

const End& DirectCalls::end(const Def* call) {
    auto [known, is_new] = ends_.try_emplace(call);
    auto& end            = known->second;
    if (!is_new) return end;
    adding_ = {};
    if (auto match = call->isa<Match>()) {
        for (auto arm : match->arms()) resolve(arm, end);
        return end;
    }
    auto app     = call->as<App>();
    auto axm     = head_axiom(app->callee());
    end.by_axiom = axm;
    if (axm) end.callees = check_.rules.functions(axm->axiom());
    else resolve(app->callee(), end);
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    passed(check_.world, app, lams, others);
    for (auto lam : lams) add_passed(lam, end);
    for (auto other : others) add_passed(other, end);
    return end;
}

/// Whether a value of this type may be, hold or lead to a function that does not come back.
bool DirectCalls::may_hold_exit(const Def* type) {
    auto is_such  = [&](const Pi* pi) { return (pi->is_cn() && !last_continuation(pi)) || check_.leaving.is_leaving_type(pi); };
    auto& given   = check_.given_types;
    bool variable = given.continuation() || std::ranges::any_of(given.functions(), is_such);
    return may_hold(type, is_such, variable);
}

bool DirectCalls::may_call_passed(const End& end) {
    auto is_taker = [&](const Def* other) {
        auto is_such = [&](const Def* type) { return may_be_same(check_.world, type, other->type(), check_.is_inlined()); };
        return std::ranges::any_of(taker_types_, is_such);
    };
    auto is_known_taker = [&](const Lam* lam) { return takers_.contains(lam); };
    return end.by_axiom || std::ranges::any_of(end.callees, is_known_taker) || std::ranges::any_of(end.others, is_taker);
}

bool DirectCalls::find_takers(const std::deque<Fn>& fns) {
    auto before = takers_.size();
    for (auto& f : fns) {
        auto is_own = [&](const Def* exit) { return exit && binder_of(exit) == f.lam; };
        if (f.lam->is_cn() || !std::ranges::any_of(f.exits, is_own)) continue;
        if (takers_.insert(f.lam) && is_value(f.lam)) taker_types_.insert(f.lam->type());
    }
    return takers_.size() != before;
}

void DirectCalls::add_leaving_types(const std::deque<Fn>& fns, DefSet& types) {
    for (auto& f : fns)
        if (!f.lam->is_cn() && check_.leaving.may_leave(f.lam) && is_value(f.lam)) types.insert(f.lam->type());
    auto leaves = [&](const Def* function) { return function->type()->isa<Pi>() && check_.leaving.may_leave(function); };
    for (auto d : made_values_)
        if (!types.contains(d->type()) && any_function_so_far(d, leaves)) types.insert(d->type());
}

/// Whether the call leaves somewhere that nobody knows.
bool DirectCalls::leaves_elsewhere(const End& end) {
    auto is_leaving = [&](const Def* other) { return !head_axiom(other) && check_.leaving.is_leaving_type(other->type()); };
    auto is_way_out = [&](const Def* other) { return may_hold_exit(other->type()); };
    if (std::ranges::any_of(end.others, is_leaving)) return true;
    return may_call_passed(end) && std::ranges::any_of(end.passed_others, is_way_out);
}

bool DirectCalls::may_leave(const Def* call) {
    auto& end = this->end(call);
    if ((!end.params.empty() && may_call_passed(end)) || leaves_elsewhere(end)) return true;
    return check_.leaving.any_may_leave(end.callees, {}) || check_.leaving.any_may_leave(end.passed, {});
}

/// To a known continuation around what is called. An unknown function may do so if it may have got here from where such
/// a one went.
bool DirectCalls::leads_out(const End& end) {
    auto out         = [&](const Lam* lam) { return check_.untracked.may_lead_out(lam); };
    auto may_be_exit = [&](const Def* other) { return !head_axiom(other) && check_.untracked.may_hold_exit(other->type()); };
    if (std::ranges::any_of(end.callees, out) || std::ranges::any_of(end.passed, out)) return true;
    return may_call_passed(end) && (!end.params.empty() || std::ranges::any_of(end.passed_others, may_be_exit));
}

static bool is_call_of_continuation(const Def* call) {
    auto axm = head_axiom(call);
    return axm && calls_continuation(axm);
}

/// All other calls in direct style that leave go through a call of a continuation.
bool DirectCalls::leaves_without_token(const Def* call) {
    return is_call_of_continuation(call) && !is_effect(call) && leads_out(end(call));
}

/// Whether calls of a function that an axiom has made will be such calls.
bool DirectCalls::makes_leaving(const App* value) {
    auto dom = value->type()->as<Pi>()->dom();
    if (!is_call_of_continuation(value) || check_.types.contains(dom)) return false;
    End end;
    adding_      = {};
    end.by_axiom = true;
    for (auto function : functions_so_far(value)) add_passed(function, end);
    return leads_out(end);
}

std::vector<std::pair<const Lam*, const Def*>> DirectCalls::values_without_token() {
    std::vector<std::pair<const Lam*, const Def*>> res;
    for (auto value : made_values_) {
        if (!makes_leaving(value->as<App>())) continue;
        auto way = find_way_from([&](const Def* d) { return d == value; });
        for (auto d : way) {
            auto lam = d->isa<Lam>();
            if (!lam || !check_.summaries.fn(lam)) continue;
            res.emplace_back(lam, value);
            break;
        }
    }
    return res;
}

} // namespace mim::linear
