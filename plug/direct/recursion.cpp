// SPDX-License-Identifier: MIT
// Effects that only a function mentions which calls itself, and that are older than that:
//
//     lam h (k: Nat): [M, Nat] = let (m, x) = count mem; ((m, x), (let (m, y) = h (k - 1); (m, x + y)))#(k > 0);
//
// `count mem` happens once, before `h` is called from outside: tokens are checked so, and the evaluator does so. So each such call needs
// it. A loop is no such function: early.cpp.
#include <algorithm>

#include "uses.h"

namespace mim::plug::direct {

class Uses::BeforeRecursion {
public:
    explicit BeforeRecursion(Uses& uses)
        : uses_(uses) {}

    bool run() {
        for (uint32_t v = 1; v != uses_.size(); ++v)
            if (uses_.is_effect(v)) look_at(v);
        for (auto [caller, effect] : added_) uses_[caller].succs.push_back(effect);
        return !added_.empty();
    }

private:
    using Set      = std::unordered_set<uint32_t>;
    using Vertices = std::vector<uint32_t>;

    bool is_function(uint32_t v) { return uses_[v].returns() && uses_[v].def->isa<Lam>(); }
    bool is_older(uint32_t v, uint32_t context);
    bool is_decided_outside(uint32_t v, uint32_t context);
    void look_at(uint32_t v);
    Vertices group(uint32_t v, uint32_t function);
    bool leave(const Vertices& group, Vertices& needing);
    bool may_meet(const Vertices& needing, uint32_t call, uint32_t callee, uint32_t function);
    const Set& entered(uint32_t v);

    Uses& uses_;
    Users users_; ///< once somebody asks
    std::unordered_map<uint32_t, Set> entered_;
    std::vector<std::pair<uint32_t, uint32_t>> added_; ///< callers, and the effects that they need
};

bool Uses::add_before_recursion() { return BeforeRecursion(*this).run(); }

/// The functions that evaluating v, or the body of the function v, may enter. Functions around v are left out: a call
/// of one of them begins another activation, which has effects and a v of its own.
const Uses::BeforeRecursion::Set& Uses::BeforeRecursion::entered(uint32_t v) {
    auto [known, fresh] = entered_.try_emplace(v);
    if (!fresh) return known->second;
    Set seen;
    auto todo = uses_[v].succs;
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        bool is_around = u != v && is_function(u)
                         && is_free_in(uses_.facts_.world(), uses_[u].def->as<Lam>()->var(), uses_[v].def);
        if (is_around || !seen.insert(u).second) continue;
        if (is_function(u)) known->second.insert(u);
        todo.insert(todo.end(), uses_[u].succs.begin(), uses_[u].succs.end());
    }
    return known->second;
}

/// Whether the effect is made of nothing that the context binds, or what is in it.
bool Uses::BeforeRecursion::is_older(uint32_t v, uint32_t context) {
    return std::ranges::none_of(free_vars(uses_.facts_.world(), uses_[v].def), [&](auto var) {
        auto binder = uses_.vertex(var->template as<Var>()->binder());
        return binder >= 0 && uses_.dominates(context, static_cast<uint32_t>(binder));
    });
}

/// Whether the effect depends on a selection that is older than the context as well: then the selection comes first.
bool Uses::BeforeRecursion::is_decided_outside(uint32_t v, uint32_t context) {
    auto i = uses_.decided_.find(v);
    return i != uses_.decided_.end() && is_older(i->second, context);
}

/// From the inside out: who calls a function from outside, in place of what is evaluated in it, needs the effect.
void Uses::BeforeRecursion::look_at(uint32_t v) {
    Vertices needing{v};
    bool is_outside = false;
    for (auto c = uses_[v].home; c != 0 && is_older(v, c); c = uses_[c].home) {
        bool calls_itself = is_function(c) && entered(c).contains(c);
        bool needs_it     = calls_itself && entered(v).contains(c); // as a call of it with a literal
        if (!calls_itself || needs_it || is_decided_outside(v, c)) continue;
        if (leave(group(v, c), needing)) is_outside = true;
    }
    if (!is_outside) return;
    for (auto caller : needing) added_.emplace_back(caller, v);
}

/// The functions that call this one, and that it calls.
Uses::BeforeRecursion::Vertices Uses::BeforeRecursion::group(uint32_t v, uint32_t function) {
    Vertices result;
    for (auto f : entered(function))
        if (entered(f).contains(function) && is_older(v, f)) result.push_back(f);
    std::ranges::sort(result);
    return result;
}

/// Lets those that call one of these functions from outside need the effect if a path inside may need it, and call one of them again. An
/// effect that happens on no such path stays: another path may leave it out.
bool Uses::BeforeRecursion::leave(const Vertices& group, Vertices& needing) {
    if (users_.empty()) users_ = uses_.find_users();
    Vertices callers;
    bool is_repeated = false;
    for (auto f : group)
        for (auto u : users_[f]) {
            auto function = u; // of the group, the innermost one around the call
            while (function != 0 && std::ranges::find(group, function) == group.end()) function = uses_[function].home;
            if (function == 0) callers.push_back(u);
            else is_repeated = is_repeated || may_meet(needing, u, f, function);
        }
    if (is_repeated) needing = std::move(callers);
    return is_repeated;
}

/// Whether a path through the function may evaluate one of these and the call. Of the selections around the call, the
/// path takes the arms that the call lies in. The callee does not count: a path that evaluates the effect there goes on
/// in it. Nor do operands of older effects: they are evaluated before the functions are called.
bool Uses::BeforeRecursion::may_meet(const Vertices& needing, uint32_t call, uint32_t callee, uint32_t function) {
    Set around{call}, seen;
    for (auto c = call; c != function && c != 0; c = uses_[c].home) {
        auto home        = uses_[c].home;
        bool is_repeated = home != function && is_function(home) && entered(home).contains(home);
        if (is_repeated) around = {call}; // its turns may take other arms
        around.insert(home);
    }
    Vertices todo(around.begin(), around.end());
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (std::ranges::find(needing, u) != needing.end()) return true;
        bool is_before = u != call && uses_.is_effect(u) && is_older(u, function);
        if (is_before || !seen.insert(u).second) continue;
        auto is_around = [&](uint32_t s) { return uses_[s].kind == Vertex::Arm && around.contains(s); };
        bool is_chosen = std::ranges::any_of(uses_[u].succs, is_around);
        for (auto s : uses_[u].succs)
            if ((u != call || s != callee) && (!is_chosen || uses_[s].kind != Vertex::Arm || around.contains(s)))
                todo.push_back(s);
    }
    return false;
}

} // namespace mim::plug::direct
