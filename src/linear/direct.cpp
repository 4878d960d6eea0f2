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
// A call in direct style stands among the operands of a λ. No path leads from the call to the rest of the λ, so a λ that
// has a token may only make calls that come back exactly once:
//
//     the call may leave, or come back again; f makes it, and has a token beside it  ⟹  E301, E300
//     the call may leave through x; f makes it                                       ⟹  f leaves through x
//     the call may come back again; f makes it                                       ⟹  f calls its return again (repeats.cpp)
//
// A token that the call is made from is consumed then, and one that is made from the call is another one each time.
#include "linear/direct.h"

#include <algorithm>
#include <unordered_map>

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
/// has an effect; unless a rule replaces it.
bool DirectCalls::is_direct_call(const App* app) {
    bool has_result = !is_never(app) && !is_static(app->arg()) && app->type()->node() != Node::Pi && !is_static(app);
    if (!has_result) return false;
    auto axm = head_axiom(app->callee());
    if (!axm) return true;
    if (!check_.rule_functions(axm->axiom()).empty()) return true;
    if (axm->axiom().has(Axiom::Effect)) return false;
    auto is_function = [](const Def* elem) { return !is_static(elem) && holds_function_itself(elem->type()); };
    return std::ranges::any_of(functions_so_far(app->callee()), is_function) || std::ranges::any_of(arg_elems(app), is_function);
}

/// Whether an axiom gets a function here that may leave, or come back again. Without such an axiom, no function in direct style does either.
bool DirectCalls::is_source(const App* app) {
    auto axm = head_axiom(app->callee());
    if (!axm || axm->axiom().has(Axiom::Effect)) return false;
    auto is_harmless = [&](auto lam) { return check_.world.is_closed(lam) && !check_.repeats().function(lam); };
    for (auto function : functions_so_far(app)) {
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(function, lams, others);
        if (!others.empty() || !std::ranges::all_of(lams, is_harmless)) return true;
    }
    return false;
}

void DirectCalls::find(std::span<const Def* const> nodes) {
    std::vector<const App*> calls;
    for (auto d : nodes)
        if (auto app = d->isa<App>(); app && is_direct_call(app)) calls.push_back(app);
    auto is_such = [&](const Def* d) { return d->isa<App>() && is_source(d->as<App>()); };
    if (calls.empty() || std::ranges::none_of(nodes, is_such)) return;
    std::unordered_map<const Def*, std::vector<const Def*>> users;
    for (auto user : nodes)
        for (auto op : value_ops(user))
            if (op && !is_static(op)) users[op].push_back(user);
    for (auto call : calls) {
        std::vector<Fn*> around;
        std::vector<const Def*> todo{call};
        DefSet seen;
        while (!todo.empty()) {
            auto d = todo.back();
            todo.pop_back();
            for (auto user : users[d]) {
                if (!seen.insert(user)) continue;
                auto lam = user->isa<Lam>();
                if (!lam) todo.push_back(user);
                else if (auto f = check_.fn(lam)) around.push_back(f);
            }
        }
        keep_makers(call, around);
        for (auto f : around) f->direct_calls.push_back(call);
    }
}

/// Of the λs that mention a call, most only use what was made of its result. An effect happens where it is evaluated. Any other call is made
/// by the λ on whose variable it depends, or, if that does not mention it, by need in those that do.
void DirectCalls::keep_makers(const App* call, std::vector<Fn*>& around) {
    auto vars       = check_.world.free_vars(call);
    bool is_effect  = check_.is_token(call) || check_.is_token(call->arg());
    auto happens_in = [&](const Fn* f) { return f->keys.contains({call, Mode::Value}); };
    auto is_binder  = [&](const Fn* f) { return std::ranges::find(vars, f->lam->var()) != vars.end(); };
    if (is_effect) std::erase_if(around, [&](auto f) { return !happens_in(f); });
    else if (std::ranges::any_of(around, is_binder)) std::erase_if(around, [&](auto f) { return !is_binder(f); });
}

const End& DirectCalls::end(const App* app) {
    auto [known, is_new] = ends_.try_emplace(app);
    auto& end            = known->second;
    if (!is_new) return end;
    std::vector<const Def*> others;
    check_.targets(app->callee(), end.callees, others);
    for (auto other : others)
        if (!head_axiom(other)) end.others.push_back(other);
    check_.passed(app, end.passed, end.passed_others);
    return end;
}

bool DirectCalls::may_leave(const App* app) {
    auto& end = this->end(app);
    return check_.any_may_leave(end.callees, end.others) || check_.any_may_leave(end.passed, end.passed_others);
}

/// The nodes that this one is made from, itself among them, as far as they are evaluated with it. A part of a variable is not made from
/// the whole of it. What is made by a function is made from the tokens that the function captures.
DefSet DirectCalls::made_from(const Def* def) {
    DefSet seen;
    std::vector<const Def*> todo{def};
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || is_static(d) || !seen.insert(d) || binder_of(d)) continue;
        auto lam = d->isa<Lam>();
        auto fn  = lam ? check_.fn(lam) : nullptr;
        if (fn) todo.insert(todo.end(), fn->captures.begin(), fn->captures.end());
        if (lam) continue;
        auto ops = value_ops(d);
        todo.insert(todo.end(), ops.begin(), ops.end());
    }
    return seen;
}

/// Finds the leaves of a token.
void DirectCalls::leaves(const Def* token, std::vector<const Def*>& res) {
    auto n = check_.num_elems(token);
    if (n == 0) res.push_back(token);
    for (size_t i = 0; i < n; ++i)
        if (check_.types.is_elem_token(token, i)) leaves(check_.world.extract(token, i), res);
}

/// The tokens that the λ starts with, gets from around it, or makes from no other.
std::vector<const Def*> DirectCalls::first_tokens(const Fn& f) {
    auto is_open  = [&](const Def* d) { return check_.is_token(d) && !check_.world.is_closed(d); };
    auto is_first = [&](const Def* d) { return is_open(d) && d->isa<App>() && !check_.makes_from_token(d); };
    std::vector<const Def*> tokens;
    if (check_.is_token(f.lam->var())) leaves(f.lam->var(), tokens);
    for (auto d : f.captures)
        if (is_open(d)) leaves(d, tokens);
    for (auto& key : f.keys)
        if (key.mode == Mode::Value && is_first(key.def)) tokens.push_back(key.def);
    return tokens;
}

/// A token that the λ has while it waits for the call: neither is the call made from it, nor it from the call. Null if there is none.
const Def* DirectCalls::token_beside(const Fn& f, const App* call) {
    auto before    = made_from(call);
    auto is_before = [&](const Def* token) {
        while (!before.contains(token) && token->isa<Extract>()) token = token->as<Extract>()->tuple();
        return before.contains(token);
    };
    auto tokens = first_tokens(f);
    auto found  = std::ranges::find_if(tokens, [&](auto token) { return !is_before(token) && !made_from(token).contains(call); });
    return found == tokens.end() ? nullptr : *found;
}

/// What is wrong where a token waits for the call; nothing if it comes back exactly once.
std::optional<Diag> DirectCalls::fault(const App* call) {
    auto known = faults_.find(call);
    if (known != faults_.end()) return known->second;
    std::optional<Diag> res;
    if (may_leave(call)) res = Diag::token_dropped;
    else if (check_.repeats().direct_call(call)) res = Diag::token_used_twice;
    return faults_.emplace(call, res).first->second;
}

void DirectCalls::check(const Fn& f) {
    if (f.direct_calls.empty() || first_tokens(f).empty()) return;
    for (auto call : f.direct_calls) {
        auto wrong = fault(call);
        auto token = wrong ? token_beside(f, call) : nullptr;
        if (!token) continue;
        auto why = *wrong == Diag::token_dropped ? Diag::call_may_leave : Diag::call_may_repeat;
        return check_.violations.push_back({*wrong, {token}, f.lam, call, {{why, nullptr}}});
    }
}

} // namespace mim::linear
