// SPDX-License-Identifier: MIT
// Effects that functions always need, and that are older than they are:
//
//     let (m, x) = count mem;
//     lam f (): [M, Nat] = let (m, y) = count m; (m, x + y);
//     lam g (): [M, Nat] = let (m, y) = f (); (m, x + y);
//
// Each call of `f` needs `count mem`, and what follows looks at it. So the caller evaluates it: it would happen twice
// otherwise. Another function may need it on some paths only. It returns another token on the others, and the check of
// tokens then lets nobody ask for the effect afterwards.
#include <algorithm>
#include <unordered_set>

#include "uses.h"

namespace mim::plug::direct {

class Uses::BeforeCalls {
public:
    explicit BeforeCalls(Uses& uses)
        : uses_(uses)
        , asked_(uses.size())
        , needed_(uses.size()) {}

    bool run() {
        find_asked();
        for (uint32_t v = 1; v != uses_.size(); ++v)
            if (asked_[v] && is_shared(v)) look_at(v);
        for (auto [call, effect] : added_) uses_[call].succs.push_back(effect);
        return !added_.empty();
    }

private:
    using Vertices = std::vector<uint32_t>;

    void find_asked();
    bool is_shared(uint32_t v);
    bool comes_with_dominator(uint32_t v);
    void look_at(uint32_t v);
    bool collect(uint32_t v);
    bool needs(uint32_t v);
    int64_t callee(uint32_t call);

    Uses& uses_;
    Users users_;                                      ///< once somebody asks
    std::vector<bool> asked_;                          ///< what functions that return may need
    Vertices asking_;                                  ///< what may need the effect that is looked at, operands first
    std::vector<bool> needed_;                         ///< whether they always do, as far as known
    std::vector<std::pair<uint32_t, uint32_t>> added_; ///< calls, and the effects that they need
};

bool Uses::add_before_calls() { return BeforeCalls(*this).run(); }

/// Most functions have no functions inside: then there is nothing to do.
void Uses::BeforeCalls::find_asked() {
    Vertices functions;
    for (uint32_t f = 1; f != uses_.size(); ++f)
        if (uses_[f].returns()) functions.push_back(f);
    uses_.mark_needs(std::move(functions), asked_);
}

/// An effect that its home may need, and that does not happen with another one in any case.
bool Uses::BeforeCalls::is_shared(uint32_t v) { return uses_.is_effect(v) && !uses_[v].is_strict && !comes_with_dominator(v); }

/// Whether what all needs of v pass through needs it itself, not only a function or an arm in it.
bool Uses::BeforeCalls::comes_with_dominator(uint32_t v) {
    if (users_.empty()) users_ = uses_.find_users();
    auto dominator = uses_.dominator(v);
    if (uses_[dominator].is_context()) return false;
    std::unordered_set<uint32_t> seen{v};
    Vertices todo{v};
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (u == dominator) return true;
        for (auto user : users_[u])
            if (!uses_[user].is_context() && seen.insert(user).second) todo.push_back(user);
    }
    return false;
}

/// A recursion needs what all its other paths need: a path that ends, ends on one of them. A function may be asked
/// about before its own turn, so all functions are assumed to need the effect until one of them is seen not to.
void Uses::BeforeCalls::look_at(uint32_t v) {
    if (!collect(v)) return;
    for (bool changed = true; changed;) {
        changed = false;
        for (auto u : asking_) {
            if (u == v || !needed_[u] || needs(u)) continue;
            needed_[u] = false;
            changed    = changed || uses_[u].kind == Vertex::Function;
        }
    }
    auto calls = asking_;
    calls.push_back(uses_.dominator(v)); // a call may need the effect for its argument and in its function
    for (auto u : calls)
        if (auto f = callee(u); f >= 0 && needed_[uint32_t(f)] && uses_[uint32_t(f)].returns()) added_.emplace_back(u, v);
    for (auto u : asking_) needed_[u] = false;
}

/// Finds all that may need v, up to its dominator. True if a function that returns is among it.
bool Uses::BeforeCalls::collect(uint32_t v) {
    auto dominator = uses_.dominator(v);
    bool any       = false;
    asking_.assign(1, v);
    needed_[v] = true;
    for (size_t k = 0; k != asking_.size(); ++k)
        for (auto u : users_[asking_[k]]) {
            if (u == dominator || needed_[u]) continue;
            needed_[u] = true;
            asking_.push_back(u);
            any = any || uses_[u].returns();
        }
    if (!any)
        for (auto u : asking_) needed_[u] = false;
    else std::ranges::sort(asking_, {}, [&](auto u) { return uses_[u].order; });
    return any;
}

/// Whether the vertex always needs the effect, by what is known of its operands, and of the function that it calls.
bool Uses::BeforeCalls::needs(uint32_t u) {
    auto arms = uses_.arms(u);
    if (!arms.empty() && std::ranges::all_of(arms, [&](auto arm) { return needed_[arm]; })) return true;
    if (auto f = callee(u); f >= 0 && needed_[uint32_t(f)]) return true;
    return std::ranges::any_of(uses_[u].succs, [&](auto s) { return !uses_[s].is_context() && needed_[s]; });
}

/// The function that is called, if it is known and declared around the call.
int64_t Uses::BeforeCalls::callee(uint32_t call) {
    auto app = uses_[call].is_context() ? nullptr : uses_[call].def->isa<App>();
    return app && app->callee()->isa<Lam>() ? uses_.vertex(app->callee()) : -1;
}

} // namespace mim::plug::direct
