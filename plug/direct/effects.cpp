// SPDX-License-Identifier: MIT
// Where effects happen that are not needed whenever their home is:
//
//     let (m, x) = count mem;
//     lam a (): [M, Nat] = (m, 1);
//     lam b (): [M, Nat] = f (m, x);
//     (a, b)#c ()
//
// Only `count` takes `mem`, and each path that returns takes each token once. So `count mem` happens on all of them, and may as well happen
// where `mem` comes from: there it is *certain*. The same holds of `((mem, m)#c, (0, x)#c)`, which all that takes `mem` leads to.
//
// An effect that no path asks for twice, as far as that is certain (needs.cpp), is a local continuation of those that
// ask. Any other effect is suspended (thunks.cpp), and happens when somebody asks for its token, or for a value that it
// made. If it is older than a recursion around it, that is outside of the recursion: all turns ask for the same one.
#include <algorithm>
#include <map>
#include <unordered_set>

#include "base/components.h"
#include "uses.h"

namespace mim::plug::direct {

class Uses::Effects {
public:
    explicit Effects(Uses& uses)
        : uses_(uses) {}

    bool run() {
        Vertices effects;
        for (uint32_t v = 1; v != uses_.size(); ++v)
            if (uses_.is_effect(v)) effects.push_back(v);
        if (effects.empty()) return false;
        std::ranges::sort(effects, {}, [&](auto v) { return uses_[v].order; }); // what gives a token before what takes it
        for (auto v : effects) look_at(v);
        return any_;
    }

private:
    using Vertices = std::vector<uint32_t>;

    void look_at(uint32_t v);
    uint32_t outermost_recursion(uint32_t v);
    bool is_in_cycle(uint32_t v);
    bool comes_back(uint32_t v, uint32_t owner);
    int64_t certain_context(uint32_t v, bool is_in_recursion);
    bool is_function(uint32_t v);
    bool is_around(uint32_t outer, uint32_t context);
    int64_t context_of(uint32_t token, uint32_t v);
    Vertices origins(uint32_t v);
    bool all_lead_to(uint32_t v, uint32_t origin, uint32_t context, bool everywhere);
    bool leads_to(uint32_t v, uint32_t taker, bool is_context, Vertices& seen, Vertices& todo);
    bool may_enter(uint32_t context, uint32_t u);
    bool is_token(uint32_t v) { return uses_.facts_.is_effect(uses_[v].def); }

    static constexpr size_t max_looked_at = 64;  ///< takers of a token
    static constexpr size_t max_walked    = 256; ///< vertices

    Uses& uses_;
    Users users_;            ///< once somebody asks
    Vertices parts_, sizes_; ///< the component of each vertex, and their sizes, once somebody asks
    std::map<std::pair<uint32_t, uint32_t>, bool> comes_back_;
    std::unordered_map<uint32_t, uint32_t> certain_; ///< the contexts in which effects are certain
    bool any_ = false;
};

bool Uses::place_effects() { return Effects(*this).run(); }

void Uses::Effects::look_at(uint32_t v) {
    auto recursion = outermost_recursion(v);
    if (uses_[v].is_strict && recursion == 0) {
        certain_[v] = uses_[v].home;
        return;
    }
    if (auto context = certain_context(v, recursion != 0); context >= 0) {
        certain_[v] = uint32_t(context);
        uses_[uint32_t(context)].succs.push_back(v);
        any_ = true;
    } else if (recursion != 0) {
        uses_.may_need_[v].push_back(uses_[recursion].home);
        any_ = true;
    }
}

/// The outermost recursive function around v that v is older than; 0 if there is none. The context that v belongs to may be in a recursion: each
/// activation of it makes an effect of its own.
uint32_t Uses::Effects::outermost_recursion(uint32_t v) {
    Vertices older;
    auto vars  = free_vars(uses_.facts_.world(), uses_[v].def);
    auto owner = uses_[v].home;
    for (; owner != 0 && !uses_.binds(owner, vars); owner = uses_[owner].home)
        if (uses_[owner].kind == Vertex::Function && is_in_cycle(owner)) older.push_back(owner);
    auto outermost = std::ranges::find_if(older.rbegin(), older.rend(), [&](auto c) { return comes_back(c, owner); });
    return outermost == older.rend() ? 0 : *outermost;
}

bool Uses::Effects::is_in_cycle(uint32_t v) {
    if (parts_.empty()) {
        parts_ = components(uses_.size(), [&](uint32_t u) -> auto& { return uses_[u].succs; });
        sizes_.resize(uses_.size());
        for (auto part : parts_) ++sizes_[part];
    }
    auto& succs = uses_[v].succs;
    return sizes_[parts_[v]] != 1 || std::ranges::find(succs, v) != succs.end();
}

/// Whether v may be entered again without a new activation of `owner`.
bool Uses::Effects::comes_back(uint32_t v, uint32_t owner) {
    auto [known, fresh] = comes_back_.try_emplace(std::pair(v, owner), false);
    if (!fresh) return known->second;
    Vertices todo = uses_[v].succs;
    std::unordered_set<uint32_t> seen;
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        if (u == v) return comes_back_[{v, owner}] = true;
        if (u == owner || parts_[u] != parts_[v] || !seen.insert(u).second) continue;
        todo.insert(todo.end(), uses_[u].succs.begin(), uses_[u].succs.end());
    }
    return false;
}

/// A context around v in which each path that returns makes v happen: where the token comes from, or the innermost
/// function that is not recursive, as a function that refers to a token takes it on each path that returns; a
/// recursive one may leave that to another turn. -1 if none is known.
int64_t Uses::Effects::certain_context(uint32_t v, bool is_in_recursion) {
    auto vars = free_vars(uses_.facts_.world(), uses_[v].def);
    for (auto token : origins(v)) {
        auto source = context_of(token, v);
        if (source < 0) continue;
        auto is_last  = [&](uint32_t c) { return int64_t(c) == source || c == 0 || uses_.binds(c, vars); };
        auto function = uses_[v].home;
        while (!is_last(function) && !is_function(function)) function = uses_[function].home;
        auto last = function;
        while (!is_last(last)) last = uses_[last].home;
        if (int64_t(last) == source && all_lead_to(v, token, last, true)) return source;
        bool takes_it = is_function(function) && !is_in_recursion && !is_in_cycle(function);
        if (takes_it && is_around(uint32_t(source), function) && all_lead_to(v, token, function, false)) return function;
    }
    return -1;
}

bool Uses::Effects::is_function(uint32_t v) { return uses_[v].kind == Vertex::Function && !uses_.is_pack(v); }

bool Uses::Effects::is_around(uint32_t outer, uint32_t context) {
    while (context != outer && context != 0) context = uses_[context].home;
    return context == outer;
}

/// The context that gives this token, and is around v; -1 if there is none.
int64_t Uses::Effects::context_of(uint32_t token, uint32_t v) {
    if (auto i = certain_.find(token); i != certain_.end()) return i->second;
    auto vars = free_vars(uses_.facts_.world(), uses_[token].def);
    auto c    = uses_[v].home;
    while (c != 0 && !uses_.binds(c, vars)) c = uses_[c].home;
    return uses_.binds(c, vars) ? int64_t(c) : -1;
}

/// Adds it to a few that were seen; whether it is new among them.
static bool see(std::vector<uint32_t>& seen, uint32_t v) {
    if (std::ranges::find(seen, v) != seen.end()) return false;
    seen.push_back(v);
    return true;
}

/// The tokens that v is made from: parameters, and those of effects that are certain. The tokens that a certain one is made from
/// would give the same answer.
Uses::Effects::Vertices Uses::Effects::origins(uint32_t v) {
    Vertices result, todo{v}, seen{v};
    while (!todo.empty() && seen.size() < max_looked_at) {
        auto u = todo.back();
        todo.pop_back();
        if (u != v && certain_.contains(u)) {
            result.push_back(u);
            continue;
        }
        bool is_made = false;
        for (auto s : uses_[u].succs) {
            if (uses_[s].kind == Vertex::Function || uses_[s].kind == Vertex::Delay || !is_token(s)) continue;
            is_made = true;
            if (see(seen, s)) todo.push_back(s);
        }
        bool is_parameter = u != v && !is_made && uses_[u].kind == Vertex::Simple;
        if (is_parameter) result.push_back(u);
    }
    return result;
}

/// Whether all that takes this token in the context leads to v. `everywhere`: nothing outside of the context can take
/// it.
bool Uses::Effects::all_lead_to(uint32_t v, uint32_t origin, uint32_t context, bool everywhere) {
    if (users_.empty()) users_ = uses_.find_users();
    Vertices todo{origin}, seen{origin};
    while (!todo.empty()) {
        auto token = todo.back();
        todo.pop_back();
        for (auto u : users_[token]) {
            bool is_arm = uses_[u].kind == Vertex::Arm && uses_.is_effect(uses_[u].owner);
            bool leads  = leads_to(v, is_arm ? uses_[u].owner : u, uses_[u].is_context() && !is_arm, seen, todo);
            if (!leads && (everywhere || may_enter(context, u))) return false;
        }
        if (seen.size() > max_looked_at) return false;
    }
    return true;
}

/// Whether what takes a token is v, takes no token, or hands one on, which is looked at then.
bool Uses::Effects::leads_to(uint32_t v, uint32_t taker, bool is_context, Vertices& seen, Vertices& todo) {
    if (is_context) return false;
    bool is_value = !is_token(taker) && uses_[taker].def->isa<Extract>(); // that an effect made
    if (taker == v || is_value) return true;
    if (!is_token(taker)) return false; // a jump, say
    if (see(seen, taker)) todo.push_back(taker);
    return true;
}

/// Whether evaluating the context may evaluate u; true if that takes long.
bool Uses::Effects::may_enter(uint32_t context, uint32_t u) {
    Vertices todo{u};
    std::unordered_set<uint32_t> seen{u};
    while (!todo.empty()) {
        auto w = todo.back();
        todo.pop_back();
        if (w == context || seen.size() > max_walked) return true;
        for (auto user : users_[w])
            if (seen.insert(user).second) todo.push_back(user);
    }
    return false;
}

} // namespace mim::plug::direct
