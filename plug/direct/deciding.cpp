// SPDX-License-Identifier: MIT
// Selections that decide whether an effect happens:
//
//     let (m, x) = count mem;
//     let (n, y) = ((mem, m)#b, (0, x)#b);
//     lam f (): [M, Nat] = (n, 1);
//     let (n, z) = f ();
//     (n, y + z);
//
// The token `m` goes to `(mem, m)#b` alone: this selection decides whether `count mem` happens. Only `f` mentions it, while
// `(0, x)#b` asks for `x`. So `(0, x)#b` needs `(mem, m)#b`: by the check of tokens, each path that may ask for `x` takes
// the token of that selection.
#include <algorithm>
#include <unordered_set>

#include "uses.h"

namespace mim::plug::direct {

class Uses::Deciding {
public:
    explicit Deciding(Uses& uses)
        : uses_(uses) {}

    bool run() {
        std::vector<uint32_t> effects;
        for (uint32_t v = 1; v != uses_.size(); ++v)
            if (uses_.is_effect(v)) effects.push_back(v);
        if (effects.empty()) return false;
        users_ = uses_.find_users();
        // Operands come first: what needs a selection is known when it is looked at as an effect.
        std::ranges::sort(effects, {}, [&](auto v) { return uses_[v].order; });
        for (auto v : effects)
            if (auto selection = selection_of(v); selection && is_as_old(selection, v)) look_at(v, selection);
        return any_;
    }

private:
    using Set      = std::unordered_set<uint32_t>;
    using Vertices = std::vector<uint32_t>;

    uint32_t selection_of(uint32_t v);
    bool is_as_old(uint32_t selection, uint32_t v);
    void look_at(uint32_t v, uint32_t selection);
    bool reaches(uint32_t from, uint32_t to);

    Uses& uses_;
    Users users_;
    std::unordered_map<uint32_t, Vertices> asking_; ///< selections that need this one for what an effect made
    bool any_ = false;
};

bool Uses::add_deciding() { return Deciding(*this).run(); }

/// The selection with a token to which that of this effect goes, wherever it goes; 0 if there is none.
uint32_t Uses::Deciding::selection_of(uint32_t v) {
    uint32_t found = 0;
    Set seen;
    auto todo = users_[v];
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        bool is_token = uses_.facts_.is_effect(uses_[u].def);
        if (!is_token || !seen.insert(u).second) continue;
        bool is_arm = uses_[u].kind == Vertex::Arm && uses_.is_effect(uses_[u].owner);
        if (is_arm && (found == 0 || found == uses_[u].owner)) found = uses_[u].owner;
        else if (uses_[u].kind == Vertex::Simple) todo.insert(todo.end(), users_[u].begin(), users_[u].end());
        else return 0;
    }
    return found;
}

/// Whether no function that the effect is older than binds what the selection mentions. Else each call of that has a
/// selection of its own, and one of them takes the token.
bool Uses::Deciding::is_as_old(uint32_t selection, uint32_t v) {
    auto& world = uses_.facts_.world();
    auto vars   = free_vars(world, uses_[v].def);
    auto binds  = [&](const Def* var) { return uses_.vertex(var->as<Var>()->binder()); };
    return std::ranges::all_of(free_vars(world, uses_[selection].def), [&](auto var) {
        if (std::ranges::find(vars, var) != vars.end()) return true;
        auto function = binds(var);
        return function >= 0 && std::ranges::any_of(vars, [&](auto other) {
                   auto inner = binds(other);
                   return inner >= 0 && uses_.dominates(uint32_t(function), uint32_t(inner));
               });
    });
}

/// Lets selections of what the effect made need the one that decides whether it happens.
void Uses::Deciding::look_at(uint32_t v, uint32_t selection) {
    uses_.decided_[v] = selection;
    auto todo         = asking_[v];
    for (auto u : users_[v])
        if (!uses_.facts_.is_effect(uses_[u].def)) todo.push_back(u);
    Set seen, added;
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (!seen.insert(u).second || (uses_[u].is_context() && uses_[u].kind != Vertex::Arm)) continue;
        if (uses_[u].kind != Vertex::Arm) {
            todo.insert(todo.end(), users_[u].begin(), users_[u].end());
            continue;
        }
        auto owner     = uses_[u].owner;
        bool has_token = reaches(u, selection); // then the arm decides by itself
        if (has_token || !added.insert(owner).second || reaches(selection, owner)) continue;
        uses_[owner].succs.push_back(selection);
        asking_[selection].push_back(owner);
        any_ = true;
    }
}

/// Whether evaluating `from` may evaluate `to`. Functions around `from` are left out: calls of these begin anew.
bool Uses::Deciding::reaches(uint32_t from, uint32_t to) {
    Set seen;
    Vertices todo{from};
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (u == to) return true;
        bool is_around = uses_[u].is_context() && u != from && uses_.dominates(u, from);
        if (is_around || !seen.insert(u).second) continue;
        todo.insert(todo.end(), uses_[u].succs.begin(), uses_[u].succs.end());
    }
    return false;
}

} // namespace mim::plug::direct
