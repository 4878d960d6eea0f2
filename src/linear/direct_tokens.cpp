// SPDX-License-Identifier: MIT
// Tokens that wait for calls in direct style; see direct.cpp for the judgement.
#include <algorithm>

#include "base/worklist.h"
#include "linear/behind.h"
#include "linear/check.h"
#include "linear/consumed.h"
#include "linear/direct.h"

namespace mim::linear {

/// Adds the leaves of a token.
void DirectCalls::leaves(const Def* token, std::vector<const Def*>& res) {
    auto n = check_.facts.num_elems(token);
    if (n == 0) res.push_back(token);
    for (size_t i = 0; i < n; ++i)
        if (check_.types.is_elem_token(token, i)) leaves(check_.world.extract(token, i), res);
}

bool DirectCalls::is_open_token(const Def* d) { return check_.facts.is_token(d) && !is_closed(check_.world, d); }

/// The tokens that the λ gets or makes.
std::vector<const Def*> DirectCalls::own_tokens(const Fn& f) {
    std::vector<const Def*> tokens;
    if (check_.facts.is_token(f.lam->var())) leaves(f.lam->var(), tokens);
    for (auto& [d, mode] : f.keys) {
        bool is_made = d->isa<App>() || d->isa<Match>() || isa_choice(d);
        if (mode == Mode::Value && is_made && is_open_token(d)) leaves(d, tokens);
    }
    return tokens;
}

/// And those that it gets from around it.
std::vector<const Def*> DirectCalls::all_tokens(const Fn& f) {
    auto tokens = own_tokens(f);
    for (auto d : f.captures)
        if (is_open_token(d)) leaves(d, tokens);
    return tokens;
}

/// A token that waits for the call; null if there is none.
const Def* DirectCalls::token_beside(const Fn& f, const std::vector<const Def*>& tokens, const Def* call) {
    Consumed consumed(check_, call);
    Behind behind(check_, consumed, f, call);
    for (auto token : tokens)
        if (!consumed.contains(token) && !behind.contains(token) && !consumed.on_all_paths(token)) return token;
    return nullptr;
}

/// The fault if a token waits for the call; none if the call comes back exactly once.
std::optional<Diag> DirectCalls::fault(const Def* call) {
    auto known = faults_.find(call);
    if (known != faults_.end()) return known->second;
    std::optional<Diag> res;
    if (may_leave(call)) res = Diag::token_dropped;
    else if (check_.repeats.direct_call(call)) res = Diag::token_used_twice;
    return faults_.emplace(call, res).first->second;
}

/// A call that does not come back exactly once.
bool DirectCalls::is_bad(const Def* d) { return is_call(d) && fault(d); }

/// The bad calls that the value is made from, the last one first.
std::vector<const Def*> DirectCalls::bad_calls_in(const Def* value) {
    if (!behind_bad_) behind_bad_ = find_way_from([&](const Def* d) { return is_bad(d); });
    std::vector<const Def*> res, todo{value};
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        while (d && projected(d)) d = projected(d); // it may be made only now
        if (!d || !behind_bad_->contains(d) || d->isa<Lam>() || !seen.insert(d)) continue;
        if (is_bad(d)) res.push_back(d);
        auto ops = value_ops(d);
        todo.insert(todo.end(), ops.rbegin(), ops.rend());
    }
    return res;
}

/// Whether a token among the arguments is only there behind the call.
bool DirectCalls::takes_from_behind(const App* app, Behind& behind) {
    auto is_behind = [&](const Def* elem) { return !is_static(elem) && check_.facts.is_token(elem) && behind.contains(elem); };
    return std::ranges::any_of(arg_elems(app), is_behind);
}

/// Whether the caller only calls this λ, each time with a token that is there behind the call.
bool DirectCalls::is_called_behind(const Def* call, const Fn& caller, const Lam* lam) {
    Consumed consumed(check_, call);
    Behind behind(check_, consumed, caller, call);
    bool is_called = false;
    for (auto& [d, mode] : caller.keys) {
        if (d == lam && mode != Mode::Call) return false;
        auto app = d->isa<App>();
        if (!app) continue;
        std::vector<const Lam*> lams;
        std::vector<const Def*> others;
        callees(app->callee(), lams, others);
        bool calls  = std::ranges::find(lams, lam) != lams.end();
        bool passes = std::ranges::find(arg_elems(app), lam) != arg_elems(app).end();
        if (passes || (calls && !takes_from_behind(app, behind))) return false;
        is_called |= calls;
    }
    return is_called;
}

/// Whether the call has happened when f is entered: all that enters f evaluates the call first, or is only entered
/// when it has happened.
bool DirectCalls::has_happened(const Def* call, const Fn& f) {
    Worklist<const Fn*> todo{&f};
    while (auto entered = todo.next()) {
        if (entered->callers.empty()) return false;
        for (auto caller : entered->callers) {
            bool evaluates = check_.needs.evaluated(caller->lam->body()).contains(call);
            bool is_behind = evaluates && !entered_early(*caller).contains(entered->lam);
            if (!is_behind && !is_called_behind(call, *caller, entered->lam)) todo.push(caller);
        }
    }
    return true;
}

void DirectCalls::report(const Fn& f, const Def* token, const Def* call) {
    auto wrong = *fault(call);
    auto why   = wrong == Diag::token_dropped ? Diag::call_may_leave : Diag::call_may_repeat;
    check_.reports.add({wrong, {token}, f.lam, call, {{why, nullptr}}});
}

/// Whether the call only enters known functions, and leaves only where these evaluate an effect of f, which was there
/// before them. Whatever waits for that is found when the effect itself is looked at.
bool DirectCalls::leaves_by_older(const Fn& f, const Def* call, size_t depth) {
    auto& end     = this->end(call);
    bool is_plain = end.others.empty() && end.params.empty() && end.passed.empty() && end.passed_others.empty() && !end.by_axiom;
    if (!is_plain || depth == 0 || fault(call) != Diag::token_dropped) return false;
    auto is_older_here = [&](const Fn& callee, const Def* made) {
        if (!fault(made)) return true;
        bool is_known = is_effect(made) && is_older(made, callee)
                        && std::ranges::find(f.direct_calls, made) != f.direct_calls.end();
        return is_known || (!is_effect(made) && leaves_by_older(f, made, depth - 1));
    };
    return std::ranges::all_of(end.callees, [&](auto lam) {
        auto callee = check_.summaries.fn(lam);
        return callee && std::ranges::all_of(callee->direct_calls, [&](auto made) { return is_older_here(*callee, made); });
    });
}

/// Reports a token that waits for the call in f. False if there is none, or if the call comes back exactly once.
bool DirectCalls::report_beside(const Fn& f, const std::vector<const Def*>& tokens, const Def* call) {
    auto token = fault(call) ? token_beside(f, tokens, call) : nullptr;
    if (!token || leaves_by_older(f, call, MaxGroups)) return false;
    report(f, token, call);
    return true;
}

void DirectCalls::check(const Fn& f) {
    if (on_the_way_.empty()) return;
    auto tokens = f.direct_calls.empty() ? std::vector<const Def*>() : all_tokens(f);
    if (std::ranges::any_of(f.direct_calls, [&](auto call) { return report_beside(f, tokens, call); })) return;
    check_older(f);
    check_arguments(f);
}

/// The call is an effect, and was there before f.
bool DirectCalls::is_older(const Def* call, const Fn& f) { return is_effect(call) && !f.keys.contains({call, Mode::Value}); }

/// An effect that is older than f may happen in f, as it does so by need. Then what f makes itself waits for it.
void DirectCalls::check_older(const Fn& f) {
    auto tokens = f.captures.empty() ? std::vector<const Def*>() : own_tokens(f);
    if (tokens.empty()) return;
    for (auto value : f.captures)
        for (auto call : bad_calls_in(value))
            if (is_older(call, f) && !has_happened(call, f) && report_beside(f, tokens, call)) return;
}

/// A token that the function, or one that it mentions, gets or makes; null if there is none.
const Def* DirectCalls::token_inside(const Lam* lam) {
    auto [known, is_new] = tokens_inside_.try_emplace(lam, nullptr);
    if (!is_new) return known->second;
    Worklist<const Lam*> todo{lam};
    while (auto inside = todo.next()) {
        auto fn = check_.summaries.fn(inside);
        if (!fn) continue;
        if (auto own = own_tokens(*fn); !own.empty()) return known->second = own.front();
        for (auto& [d, mode] : fn->keys) todo.push(d->isa<Lam>());
    }
    return nullptr;
}

/// A function that the program names takes arguments by need: a bad call among them happens somewhere in that
/// function, beside its tokens, or where somebody calls a function that it returns. An argument that is a token made
/// behind the call makes sure that the call has happened.
void DirectCalls::check_arguments(const Fn& f) {
    for (auto& [d, mode] : f.keys) {
        auto app   = d->isa<App>();
        auto lam   = app && !is_never(app) ? named_function(app->callee()) : nullptr;
        auto elems = lam ? arg_elems(app) : Defs();
        for (size_t i = 0; i != elems.size(); ++i) {
            if (is_static(elems[i]) || check_.facts.is_token(elems[i])) continue;
            for (auto call : bad_calls_in(elems[i])) {
                bool is_past = is_passed_behind(f, app, call) || (is_older(call, f) && has_happened(call, f));
                bool is_got  = app->callee() == lam && always_makes(f, elems[i], call);
                auto got     = is_got ? param(check_.world, lam, i) : nullptr;
                if (!is_past && report_inside(f, app, lam, got, call)) return;
            }
        }
    }
}

/// Whether the value is only there once the call has happened.
bool DirectCalls::always_makes(const Fn& f, const Def* value, const Def* call) {
    Consumed consumed(check_, call);
    return Behind(check_, consumed, f, call).contains(value);
}

/// Whether the call has happened when the function is entered.
bool DirectCalls::is_passed_behind(const Fn& f, const App* app, const Def* call) {
    Consumed consumed(check_, call);
    Behind behind(check_, consumed, f, call);
    for (auto group = app; group; group = group->callee()->isa<App>())
        if (takes_from_behind(group, behind)) return true;
    return false;
}

/// A token that waits for the call in the function that gets it as the parameter `got`, if that is known, or in one
/// that this mentions. One that is made from what the call returns is none.
const Def* DirectCalls::token_beside_inside(const Lam* lam, const Def* got, const Def* call) {
    if (!token_inside(lam)) return nullptr; // most often
    Worklist<const Lam*> todo{lam};
    while (auto inside = todo.next()) {
        auto fn = check_.summaries.fn(inside);
        if (!fn) continue;
        for (auto token : own_tokens(*fn)) {
            bool knows_it = inside == lam && got && !token_beside(*fn, {token}, got);
            if (!knows_it && token_beside(*fn, {token}, call)) return token;
        }
        for (auto& [d, mode] : fn->keys) {
            auto mentioned = d->isa<Lam>();
            if (mentioned && !is_called_behind(call, *fn, mentioned)) todo.push(mentioned);
        }
    }
    return nullptr;
}

/// Reports a token of the function that gets the call by need, or the function that it returns; false if there is
/// neither.
bool DirectCalls::report_inside(const Fn& f, const App* app, const Lam* lam, const Def* got, const Def* call) {
    auto token = token_beside_inside(lam, got, call);
    if (!token && !holds_function(app->type())) return false;
    report(f, token ? token : app, call);
    return true;
}

} // namespace mim::linear
