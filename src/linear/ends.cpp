// SPDX-License-Identifier: MIT
// Where control goes at the end of a function: which calls only come back through the continuations that they are given, and which
// continuations may be called more than once.
#include <algorithm>

#include "linear/check.h"

namespace mim {

namespace linear {

Defs value_ops(const Def* d) {
    switch (d->node()) {
        case Node::Var:
        case Node::Hole:
        case Node::Pi:
        case Node::Sigma:
        case Node::Arr:
        case Node::Union:
        case Node::Sing: return {};
        case Node::Lam: return d->is_set() ? d->ops().subspan(1) : Defs();
        default: return d->is_set() ? d->ops() : Defs();
    }
}

bool is_never(const Def* d) { return d->type() && d->type()->node() == Node::Bot; }

const Tuple* isa_choice(const Def* d) {
    auto ex = d->isa<Extract>();
    return ex ? ex->tuple()->isa<Tuple>() : nullptr;
}

bool is_unknown_end(const Def* d) {
    bool is_known = d->node() == Node::App || d->node() == Node::Match || isa_choice(d);
    return is_never(d) && !is_known;
}

bool is_continuation(const Def* d) {
    auto pi = d->type() ? d->type()->isa<Pi>() : nullptr;
    return pi && pi->is_cn();
}

bool takes_continuation(const Pi* pi) { return holds_function(pi->dom()); }

bool is_exit(const Def* d) { return is_continuation(d) && !takes_continuation(d->type()->as<Pi>()); }

Elems call_elems(World& world, const App* app) {
    Elems res;
    auto elems = arg_elems(app);
    auto n     = app->arg()->node() == Node::Tuple ? 1 : lit_arity(world, app->arg()->type());
    if (n < 2 || n > MaxElems) return res.append(elems.begin(), elems.end()), res;
    for (int64_t i = 0; i < n; ++i) res.push_back(world.extract(app->arg(), static_cast<uint64_t>(i)));
    return res;
}

Elems return_elems(World& world, const App* app) {
    Elems res;
    auto elems = call_elems(world, app);
    for (size_t i = 0; i < elems.size(); ++i)
        if (!is_static(elems[i]) && is_continuation(elems[i]) && (i + 1 == elems.size() || is_exit(elems[i])))
            res.push_back(elems[i]);
    return res;
}

bool has_exit(World& world, const App* app) { return !return_elems(world, app).empty(); }

/// An axiom, applied or not, that knows no function but those that it gets next.
static bool is_plain_axiom(const Def* d) {
    for (; auto app = d->isa<App>(); d = app->callee())
        if (!is_static(app->arg()) && holds_function(app->arg()->type())) return false;
    return d->isa<Axm>();
}

std::vector<const Def*> functions_so_far(const Def* applied) {
    std::vector<const Def*> res;
    for (auto d = applied->isa<App>(); d; d = d->callee()->isa<App>())
        for (auto elem : arg_elems(d))
            if (!is_static(elem) && holds_function(elem->type())) res.push_back(elem);
    return res;
}

/// Those that an axiom got before.
static std::vector<const Def*> earlier_functions(const App* app) {
    bool is_axiom = !app->callee()->isa<Lam>() && head_axiom(app->callee());
    return is_axiom ? functions_so_far(app->callee()) : std::vector<const Def*>();
}

bool comes_back_elsewhere(World& world, const App* app, const IsSuchType& holds_way) {
    auto leads_elsewhere = [&](const Def* elem) { return elem->type()->isa<Pi>() ? is_exit(elem) : holds_way(elem->type()); };
    if (std::ranges::any_of(earlier_functions(app), leads_elsewhere)) return true;
    auto returns = return_elems(world, app);
    return std::ranges::any_of(call_elems(world, app), [&](const Def* elem) {
        if (is_static(elem) || std::ranges::find(returns, elem) != returns.end()) return false;
        auto pi = elem->type()->isa<Pi>();
        if (!pi) return holds_way(elem->type());
        return !pi->is_cn() && holds_way(pi->codom()); // other functions return to who calls them
    });
}

Defs arg_elems(const App* app) { return app->arg()->node() == Node::Tuple ? app->arg()->ops() : app->ops().subspan(1); }

void callees(const Def* callee, std::vector<const Lam*>& lams, std::vector<const Def*>& others) {
    SmallVector<const Def*, 8> todo;
    DefSet seen;
    todo.push_back(callee);
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!seen.insert(d)) continue;
        auto ex    = d->isa<Extract>();
        auto tuple = ex ? ex->tuple()->isa<Tuple>() : nullptr;
        if (auto lam = d->isa<Lam>()) lams.push_back(lam);
        else if (tuple) todo.append(tuple->ops().rbegin(), tuple->ops().rend());
        else others.push_back(d);
    }
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

/*
 * what comes back where
 */

const Def* binder_of(const Def* d) {
    while (auto ex = d->isa<Extract>()) d = ex->tuple();
    auto var = d->isa<Var>();
    return var ? var->binder() : nullptr;
}

const Def* Check::last_param(const Lam* lam) const {
    auto n = lit_arity(world, lam->dom());
    return n > 1 ? world.extract(lam->var(), static_cast<uint64_t>(n - 1)) : lam->var();
}

const Def* Check::last_param(const Fn& f) const {
    if (!f.last_param) f.last_param = last_param(f.lam);
    return f.last_param;
}

const Def* Check::param(const Lam* lam, size_t i) const {
    return lit_arity(world, lam->dom()) > 1 ? world.extract(lam->var(), uint64_t(i)) : lam->var();
}

/// Where control goes when `app` is the last thing that happens.
End Check::end(const App* app) {
    End end;
    ask_for(app->callee());
    std::vector<const Def*> others;
    callees(app->callee(), end.callees, others);
    for (auto other : others) {
        end.knows_callees = false;
        if (head_axiom(other)) continue; // it comes back through what it got, or gets
        auto lam    = binder_of(other) ? binder_of(other)->isa<Lam>() : nullptr;
        auto binder = lam && other == last_param(lam) ? fn(lam) : nullptr;
        if (!has_exit(world, app) || leads_back(other)) end.params.push_back(other);
        else if (binder) binder->calls_last = true; // what it stands for is known to who calls this function
        else targets(other, end.callees, end.others);
    }
    bool returns = leads_back(app->callee()); // what it gets are values: control goes to who gets them
    auto elems   = call_elems(world, app);
    for (auto elem : return_elems(world, app)) {
        others.clear();
        if (!returns && elem == elems.back()) callees(elem, end.last, end.last_params);
        else callees(elem, end.returns, others);
        if (!returns) end.params.insert(end.params.end(), others.begin(), others.end());
    }
    bool holds_functions = comes_back_elsewhere(world, app, [&](const Def* type) { return given_types.may_hold_function(type); });
    if (holds_functions) holders_.insert(app);
    if (holds_functions && !returns) end.holder = app;
    passed(app, end.passed, end.passed_others);
    for (auto other : end.passed_others)
        if (!returns && is_return_as_value(other)) end.params.push_back(other);
    return end;
}

void Check::find_ends(Fn& f) {
    f.ends.clear();
    for (auto d : f.end_nodes) {
        if (auto app = d->isa<App>()) {
            f.ends.push_back(end(app));
        } else if (auto match = d->isa<Match>()) {
            auto& end = f.ends.emplace_back();
            for (auto arm : match->arms()) callees(arm, end.callees, end.params);
        } else if (is_unknown_end(d)) {
            f.ends.emplace_back().params.push_back(d);
        }
    }
}

/// In a program as it was written, an aggregate may hold a function that leaves, and a return that somebody has stored leaves as well. Phases
/// pass packages whose types they do not know, store returns with what their functions return to, and know of no type which of the two it is.
bool Check::is_leaving_type(const Def* type) const {
    auto pi      = type->isa<Pi>();
    bool returns = pi && !pi->is_cn() && last_codom(pi)->node() != Node::Bot;
    if (returns && given_types.never() && binder_of(last_codom(pi))) return true; // it may be any continuation
    auto is_such = [&](const Def* leaving) {
        bool is_same_style = !returns || !leaving->as<Pi>()->is_cn() || given_types.never(); // T is no ⊥
        return is_same_style && given_types.may_be_same(leaving, type);
    };
    return std::ranges::any_of(leaving_types_, is_such)
           || (!inlined_ && std::ranges::any_of(return_params_.return_types, is_such));
}

bool Check::has_leaving_type(const Def* d) const {
    if (head_axiom(d)) { // it calls the functions that it got; one of them may be a parameter that stands for what is made of it
        if (inlined_ || !asking_.insert(d).second) return false; // phases make closures so
        auto leaves = std::ranges::any_of(functions_so_far(d), [&](auto function) { return may_leave(function); });
        asking_.erase(d);
        return leaves;
    }
    if (inlined_) return is_leaving_type(d->type());
    bool is_variable = binder_of(d->type());
    bool none_leaves = leaving_types_.empty() && return_params_.return_types.empty();
    if (none_leaves && !is_variable) return false;
    return given_types.may_hold(d->type(), [&](const Pi* pi) { return is_leaving_type(pi); });
}

bool Check::may_leave(const Lam* lam) const {
    auto f = fn(lam);
    return f && f->leaves_around;
}

bool Check::any_may_leave(std::span<const Lam* const> lams, const std::vector<const Def*>& others) const {
    return std::ranges::any_of(lams, [&](auto lam) { return may_leave(lam); })
           || std::ranges::any_of(others, [&](auto other) { return has_leaving_type(other); });
}

bool Check::may_leave(const Def* callee) const {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    targets(callee, lams, others);
    return any_may_leave(lams, others);
}

void Check::passed(const App* app, std::vector<const Lam*>& lams, std::vector<const Def*>& others) const {
    auto returns = is_never(app) ? return_elems(world, app) : Elems();
    auto todo    = earlier_functions(app);
    for (auto elem : call_elems(world, app))
        if (!is_static(elem) && holds_function(elem->type()) && std::ranges::find(returns, elem) == returns.end())
            todo.push_back(elem);
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (is_static(d) || !seen.insert(d)) continue;
        if (d->node() == Node::Tuple) todo.insert(todo.end(), d->ops().begin(), d->ops().end());
        else if (holds_function(d->type())) callees(d, lams, others);
        if (d->node() != Node::App || !head_axiom(d) || !holds_function(d->type())) continue;
        auto functions = functions_so_far(d); // it may be one of these, or call them
        todo.insert(todo.end(), functions.begin(), functions.end());
    }
}

/// The function leaves the token alone on the way to its return if it captures it, or a token that is made from the same one.
bool Check::keep(const Fn& callee, const Def* token) {
    if (!is_token(token) || is_closed(world, token)) return false;
    bool changed = false;
    for (auto own : callee.captures) {
        bool is_same = own == token || (is_token(own) && !is_closed(world, own) && have_common_effects(own, token));
        if (is_same) changed |= kept_[last_param(callee.lam)].insert(own);
    }
    return changed;
}

/// The tokens that are left to what the parameter stands for are left to it by the function as well.
bool Check::keep_as_for(const Fn& callee, const Def* param) {
    auto found = kept_.find(param);
    if (found == kept_.end()) return false;
    bool changed = false;
    for (auto token : std::vector(found->second.begin(), found->second.end())) changed |= keep(callee, token);
    return changed;
}

/// A λ to which the call returns consumes the tokens that it captures, or leads to a parameter to which tokens are left.
bool Check::keep_for_returns(const Fn& callee, const End& end) {
    bool changed = false;
    for (auto lam : end.last) {
        auto ret = fn(lam);
        if (!ret) continue;
        for (auto token : ret->captures) changed |= keep(callee, token);
        for (auto exit : ret->exits)
            if (exit && binder_of(exit) != lam) changed |= keep_as_for(callee, exit);
    }
    for (auto param : end.last_params) changed |= keep_as_for(callee, param);
    return changed;
}

/// If a function and what it returns to capture the same token, or tokens that are made from the same one, the function
/// leaves it alone on the way there, and consumes it when it leaves elsewhere. It does so, too, with a token of a function
/// that is gone by then. Whether all calls and all paths of the function hold to that is checked with the paths of each λ.
void Check::find_kept() {
    for (auto& f : fn_store_)
        for (auto& use : f.jumps)
            for (auto token : fn(use.lam)->captures) keep(*fn(use.lam), token);
    for (bool changed = true; changed;) {
        changed = false;
        for (auto& f : fn_store_)
            for (auto& end : f.ends)
                for (auto lam : end.callees) {
                    auto callee = fn(lam);
                    if (callee && !callee->captures.empty()) changed |= keep_for_returns(*callee, end);
                }
    }
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
