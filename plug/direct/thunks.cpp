// SPDX-License-Identifier: MIT
// What several contexts may need becomes a local continuation around them, a thunk. If it asks for an effect that is a thunk as well, and
// that has happened in a context already, that context has a copy of its own, which knows what the effect gave; so with functions.
// See converter.h.
#include <algorithm>
#include <utility>

#include "converter.h"

namespace mim::plug::direct {

/// What several paths need, but not all: a local continuation that evaluates it, or a lazy value if one path may ask twice. An effect
/// happens once on each path anyway, and what looks at an effect must see the one that has happened. What holds types cannot be stored.
void Converter::define_thunk(uint32_t i) {
    auto def   = (*uses_)[i].def;
    auto type  = rewrite(def->type());
    auto thunk = new_lam(world_.cn(world_.cn(type)));
    thunks_[i] = {thunk, happened_};
    if (facts_.is_effect(def)) uses_->mark_users(i);
    context(i, thunk, def, thunk->var());
    if (facts_.is_effect(def) || uses_->may_ask_effect(i)) return;
    bool is_stored = uses_->is_repeated(i) && level(world_, type) == 0;
    if (!is_stored) return;
    cells_[def] = make_delay(world_, uses_->has_delays() ? delay::stack : delay::slot, thunk);
    bind(def, make_force(world_, cells_[def]));
}

/// Defines the thunk i anew for the rest of a context if an effect has happened since, and i may ask for effects: so does what it calls.
void Converter::renew(uint32_t i) {
    auto is_old = [&](uint32_t v) {
        auto thunk = (*uses_)[v].kind == Vertex::Thunk ? thunks_.find(v) : thunks_.end();
        return thunk != thunks_.end() && thunk->second.happened != happened_ && uses_->may_ask_effect(v);
    };
    if (!is_old(i)) return;
    std::vector<uint32_t> todo{i}, old;
    std::unordered_set<uint32_t> seen{i};
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        if (is_old(v) && uses_->dominates((*uses_)[v].home, (*uses_)[i].home)) old.push_back(v);
        for (auto s : (*uses_)[v].succs)
            if (uses_->may_ask_effect(s) && !env_.contains((*uses_)[s].def) && seen.insert(s).second) todo.push_back(s);
    }
    std::sort(old.begin(), old.end(), [&](auto a, auto b) { return (*uses_)[a].order < (*uses_)[b].order; });
    for (auto v : old) {
        renewed_.emplace_back(v, thunks_[v]);
        define_thunk(v);
    }
}

/// The same of functions around the context v that it may call: those that are no blocks, which take over what has happened (merge.h). A
/// call of the function that the effect is of, or of one around that, is another activation, in which it has not happened.
void Converter::renew_functions(uint32_t v, uint32_t effect) {
    auto home                  = (*uses_)[effect].home;
    std::vector<uint32_t> todo = (*uses_)[v].succs, old;
    std::unordered_set<uint32_t> seen(todo.begin(), todo.end());
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        auto& vertex  = (*uses_)[u];
        bool may_see  = u != home && uses_->dominates(home, u);
        bool is_there = vertex.kind == Vertex::Function ? uses_->dominates(vertex.home, v) : !env_.contains(vertex.def);
        if (!may_see || !is_there || !uses_->may_ask_effect(u)) continue;
        auto lam      = vertex.kind == Vertex::Function && !vertex.is_block() ? vertex.def->isa<Lam>() : nullptr;
        bool is_inner = uses_->dominates(v, u);
        if (lam && !is_inner && functions_.contains(lam)) old.push_back(u);
        if (is_inner || lam || vertex.kind != Vertex::Function)
            for (auto s : vertex.succs)
                if (seen.insert(s).second) todo.push_back(s);
    }
    std::sort(old.begin(), old.end(), [&](auto a, auto b) { return (*uses_)[a].order < (*uses_)[b].order; });
    for (auto u : old) {
        auto lam   = (*uses_)[u].def->as<Lam>();
        auto value = env_.find(lam); // not of those that take some arguments by need
        replaced_.push_back({lam, functions_[lam], value == env_.end() ? nullptr : value->second});
        functions_[lam] = stub(lam);
        if (value != env_.end()) value->second = functions_[lam];
    }
    for (auto u : old) {
        auto lam = (*uses_)[u].def->as<Lam>();
        if (uses_->dominates(u, v)) another_body(u, lam);
        else body(u, lam, functions_[lam]);
    }
}

/// The same where the code of the function itself is built: another activation knows nothing that depends on what this one got.
void Converter::another_body(uint32_t u, const Lam* lam) {
    auto functions = functions_;
    auto thunks    = thunks_;
    auto cells     = cells_;
    auto chosen    = std::exchange(chosen_, {});
    std::vector<std::pair<const Def*, const Def*>> hidden;
    for (auto def : trail_)
        if (auto found = env_.find(def); found != env_.end() && is_free_in(world_, lam->var(), def)) {
            hidden.push_back(*found);
            env_.erase(found);
        }
    body(u, lam, functions_[lam]);
    for (auto& [def, value] : hidden) env_.emplace(def, value);
    functions_ = std::move(functions);
    thunks_    = std::move(thunks);
    cells_     = std::move(cells);
    chosen_    = std::move(chosen);
}

} // namespace mim::plug::direct
