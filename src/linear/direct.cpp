// SPDX-License-Identifier: MIT
// Functions in direct style, and where they are called. Such a function comes back to who calls it, unless it calls one that leaves, as in
//
//     λ (x: Nat): Nat = %direct.cps2ds stop x
//
// What it calls occurs in it. The judgement, for a function f in direct style:
//
//     a λ that occurs in f leaves through x        ⟹  f may leave through x
//     f refers to a function that nobody knows     ⟹  f may leave somewhere that nobody knows
//
// What is closed comes back to who calls it. Where the λs leave is a least fixed point: see leaving.cpp.
//
// A call in direct style stands among the operands of a λ, and what follows it there is no function that a path leads to. So a λ that has
// a token may only make calls that come back exactly once:
//
//     the call may leave, or come back again; f makes it, and has a token beside it  ⟹  E301, E300
//     the call may leave through x; f makes it                                       ⟹  f leaves through x
//     the call may come back again; f makes it                                       ⟹  f calls its return again (repeats.cpp)
//
// A token that the call is made from is consumed then, and one that is made from the call is another one each time.
#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

void Check::find_mentioned(Fn& f) {
    if (is_never(f.lam->body()) || world.is_closed(f.lam)) return;
    std::vector<const Def*> todo{f.lam->body()};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || is_static(d) || world.is_closed(d) || !seen.insert(d)) continue;
        if (auto lam = d->isa<Lam>()) {
            f.mentioned.push_back(lam);
        } else if (binder_of(d)) {
            f.mentions_unknown |= holds_function(d->type());
        } else {
            for (auto op : value_ops(d)) todo.push_back(op);
        }
    }
}

/// Whether code that is not an axiom's may run in this call, which has a result. An axiom calls only functions that it gets, and none if it
/// has an effect.
bool Check::is_direct_call(const App* app) const {
    bool has_result = !is_never(app) && !is_static(app->arg()) && app->type()->node() != Node::Pi && !is_static(app);
    if (!has_result) return false;
    auto axm = head_axiom(app->callee());
    if (!axm) return true;
    if (axm->axiom().has(Axiom::Effect)) return false;
    auto is_function = [](const Def* elem) { return !is_static(elem) && holds_function_itself(elem->type()); };
    return std::ranges::any_of(functions_so_far(app->callee()), is_function) || std::ranges::any_of(arg_elems(app), is_function);
}

/// Finds the λs that make a call in direct style: those among the operands of which it is, with no λ between.
void Check::find_direct_calls() {
    if (inlined_) return; // phases make them calls of continuations
    std::vector<const App*> calls;
    for (auto d : postorder_)
        if (auto app = d->isa<App>(); app && is_direct_call(app)) calls.push_back(app);
    if (calls.empty()) return;
    std::unordered_map<const Def*, std::vector<const Def*>> users;
    for (auto user : postorder_)
        for (auto op : value_ops(user))
            if (op && !is_static(op)) users[op].push_back(user);
    for (auto call : calls) {
        std::vector<const Def*> todo{call};
        DefSet seen;
        while (!todo.empty()) {
            auto d = todo.back();
            todo.pop_back();
            for (auto user : users[d]) {
                if (!seen.insert(user)) continue;
                auto lam = user->isa<Lam>();
                if (!lam) todo.push_back(user);
                else if (auto f = fn(lam)) f->direct_calls.push_back(call);
            }
        }
    }
}

/// Where control goes if the call leaves.
Fn::End Check::direct_end(const App* app) const {
    Fn::End end;
    std::vector<const Def*> others;
    targets(app->callee(), end.callees, others);
    for (auto other : others)
        if (!head_axiom(other)) end.others.push_back(other);
    passed(app, end.passed, end.passed_others);
    auto is_data = [&](auto d) { return !variables_hold_functions_ && binder_of(d->type()); };
    std::erase_if(end.passed_others, is_data);
    return end;
}

bool Check::may_leave_directly(const App* app) const {
    auto end = direct_end(app);
    return any_may_leave(end.callees, end.others) || any_may_leave(end.passed, end.passed_others);
}

/// The nodes that this one is made from, itself among them, as far as they are evaluated with it. A part of a variable is not made from
/// the whole of it.
static DefSet made_from(const Def* def) {
    DefSet seen;
    std::vector<const Def*> todo{def};
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || is_static(d) || !seen.insert(d) || d->isa<Lam>() || binder_of(d)) continue;
        auto ops = value_ops(d);
        todo.insert(todo.end(), ops.begin(), ops.end());
    }
    return seen;
}

/// Finds the leaves of a token.
void Check::leaves(const Def* token, std::vector<const Def*>& res) {
    auto n = num_elems(token);
    if (n == 0) res.push_back(token);
    for (size_t i = 0; i < n; ++i)
        if (types.is_elem_token(token, i)) leaves(world.extract(token, i), res);
}

/// A token that λ has while it waits for the call: neither is the call made from it, nor it from the call. Null if there is none.
const Def* Check::token_beside(const Fn& f, const App* call) {
    auto before    = made_from(call);
    auto is_before = [&](const Def* token) {
        while (!before.contains(token) && token->isa<Extract>()) token = token->as<Extract>()->tuple();
        return before.contains(token);
    };
    auto is_beside  = [&](const Def* token) { return !is_before(token) && !made_from(token).contains(call); };
    auto is_started = [&](const Def* d) { // no other token is consumed where it is made
        return is_token(d) && d->isa<App>() && !world.is_closed(d) && !makes_from_token(d);
    };
    std::vector<const Def*> tokens;
    if (is_token(f.lam->var())) leaves(f.lam->var(), tokens);
    for (auto d : f.captures)
        if (is_token(d) && !world.is_closed(d)) leaves(d, tokens);
    for (auto& key : f.keys)
        if (key.mode == Mode::Value && is_started(key.def)) tokens.push_back(key.def);
    auto found = std::ranges::find_if(tokens, is_beside);
    return found == tokens.end() ? nullptr : *found;
}

void Check::check_direct_calls(Fn& f) {
    for (auto call : f.direct_calls) {
        auto token = token_beside(f, call);
        if (!token) continue;
        bool leaves  = may_leave_directly(call);
        bool repeats = !leaves && repeats_.direct_call(call);
        if (!leaves && !repeats) continue;
        violations.push_back({leaves ? Diag::token_dropped : Diag::token_used_twice, {token}, f.lam, call, {}});
        return;
    }
}

} // namespace mim::linear
