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
        for (uint32_t v = 1; v != uses_.size(); ++v) {
            bool is_effect = uses_[v].kind == Vertex::Control && uses_.facts_.is_effect(uses_[v].def);
            if (auto function = is_effect ? function_around(v) : 0) add_to_callers(v, function);
        }
        for (auto [caller, effect] : added_) uses_[caller].succs.push_back(effect);
        return !added_.empty();
    }

private:
    using Set = std::unordered_set<uint32_t>;

    bool is_function(uint32_t v) { return uses_[v].kind == Vertex::Function && uses_[v].def->isa<Lam>() && !uses_[v].is_block(); }
    uint32_t function_around(uint32_t v);
    void add_to_callers(uint32_t v, uint32_t function);
    const Set& entered(uint32_t function);
    bool is_older(uint32_t v, uint32_t context);

    Uses& uses_;
    Users users_; ///< once somebody asks
    std::unordered_map<uint32_t, Set> entered_;
    std::vector<std::pair<uint32_t, uint32_t>> added_; ///< callers, and the effects that they need
};

bool Uses::add_before_recursion() { return BeforeRecursion(*this).run(); }

/// The functions that evaluating the body of this one may enter.
const Uses::BeforeRecursion::Set& Uses::BeforeRecursion::entered(uint32_t function) {
    auto [known, fresh] = entered_.try_emplace(function);
    if (!fresh) return known->second;
    Set seen;
    auto todo = uses_[function].succs;
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (!seen.insert(u).second) continue;
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

/// The outermost function that calls itself, that v is evaluated in, and that v is older than; 0 if there is none.
uint32_t Uses::BeforeRecursion::function_around(uint32_t v) {
    uint32_t result = 0;
    for (auto c = uses_[v].home; c != 0 && is_older(v, c); c = uses_[c].home)
        if (is_function(c) && entered(c).contains(c)) result = c;
    return result;
}

/// Functions that call each other are entered from outside by all of them.
void Uses::BeforeRecursion::add_to_callers(uint32_t v, uint32_t function) {
    if (users_.empty()) users_ = uses_.find_users();
    std::vector<uint32_t> group;
    for (auto f : entered(function))
        if (entered(f).contains(function) && is_older(v, f)) group.push_back(f);
    auto is_inside = [&](uint32_t u) { return std::ranges::any_of(group, [&](auto f) { return uses_.dominates(f, u); }); };
    std::ranges::sort(group);
    for (auto f : group)
        for (auto u : users_[f])
            if (!is_inside(u)) added_.emplace_back(u, v);
}

} // namespace mim::plug::direct
