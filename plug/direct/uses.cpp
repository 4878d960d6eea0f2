// SPDX-License-Identifier: MIT
// Makes the graph of uses (uses.h): its vertices and edges, which vertex dominates which, and what is evaluated with its home.
#include "uses.h"

#include <algorithm>
#include <unordered_set>

namespace mim::plug::direct {

Uses::Uses(Facts& facts, const Lam* root, bool deciding)
    : facts_(facts)
    , deciding_(deciding) {
    std::vector<uint32_t> todo;
    add(root, Vertex::Function, todo);
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        connect(v, todo);
    }
    outside_of_packs();
    dominators();
    if (place_effects()) dominators();
}

std::vector<uint32_t> Uses::arms(uint32_t v) const {
    std::vector<uint32_t> result;
    for (auto s : vertices_[v].succs)
        if (vertices_[s].kind == Vertex::Arm) result.push_back(s);
    return result;
}

Uses::Users Uses::find_users() const {
    Users users(size());
    for (uint32_t u = 0; u != size(); ++u)
        for (auto s : vertices_[u].succs) users[s].push_back(u);
    return users;
}

uint32_t Uses::add(const Def* def, Vertex::Kind kind, std::vector<uint32_t>& todo) {
    auto v = uint32_t(vertices_.size());
    if (kind != Vertex::Arm && kind != Vertex::Delay) {
        auto [i, fresh] = ids_.try_emplace(def, v);
        if (!fresh) return i->second;
    }
    vertices_.push_back({});
    vertices_.back().kind = kind;
    vertices_.back().def  = def;
    todo.push_back(v);
    return v;
}

/// v needs def.
void Uses::to(uint32_t v, const Def* def, std::vector<uint32_t>& todo) {
    if (auto in = facts_.leaves_in(def); !in.empty()) {
        for (auto leaf : in) {
            auto s = add(leaf->def, Vertex::Simple, todo); // may move the vertices
            vertices_[v].succs.push_back(s);
        }
        return;
    }
    bool is_token = def->isa<Var>() && facts_.is_effect(def); // see effects.cpp
    if (def->isa<Lit>() || def->isa<Axm>() || (def->isa<Var>() && !is_token) || facts_.is_table(def)) return;
    auto kind = Vertex::Simple;
    if (def->isa<Pack>() && def->var()) {
        if (!facts_.is_filled(def)) return;
        kind = Vertex::Function;
    } else if (auto lam = def->isa<Lam>()) {
        if (facts_.is_closed(lam) || !facts_.is_run_time(lam)) return;
        kind = Vertex::Function;
    } else if (facts_.is_control(def)) {
        kind = Vertex::Control;
    }
    auto s = add(def, kind, todo);
    vertices_[v].succs.push_back(s);
    if (auto lam = def->isa<Lam>()) to_type(v, s, lam, todo);
}

/// A function comes after the calls that its type mentions, and whoever needs the function needs them. Calls that mention its
/// parameter are not meant.
void Uses::to_type(uint32_t v, uint32_t function, const Lam* lam, std::vector<uint32_t>& todo) {
    auto var = lam->pi()->var();
    std::unordered_set<const Def*> seen;
    std::vector<const Def*> types{lam->pi()};
    while (!types.empty()) {
        auto type = types.back();
        types.pop_back();
        for (auto op : type->ops()) {
            if (facts_.is_closed(op) || !seen.insert(op).second) continue;
            bool is_value = is_term(op);
            bool is_own   = var && is_free_in(facts_.world(), var, op);
            if (!is_value && !op->is_mut()) types.push_back(op);
            if (is_value && !is_own && facts_.has_control(op)) to(v, op, todo), to(function, op, todo);
        }
    }
}

/// v may need def: an arm, or what is passed as `leaf`.
void Uses::arm(uint32_t v, const Def* def, std::vector<uint32_t>& todo, Leaf* leaf) {
    auto a             = add(def, leaf ? Vertex::Delay : Vertex::Arm, todo);
    vertices_[a].owner = v;
    vertices_[a].leaf  = leaf;
    has_delays_        = has_delays_ || leaf;
    vertices_[v].succs.push_back(a);
}

void Uses::connect(uint32_t v, std::vector<uint32_t>& todo) {
    auto def = vertices_[v].def;
    if (vertices_[v].kind == Vertex::Arm || vertices_[v].kind == Vertex::Delay) return to(v, def, todo);
    if (facts_.isa_leaf(def)) return;
    if (auto lam = def->isa<Lam>()) return to(v, lam->body(), todo);
    if (vertices_[v].kind == Vertex::Function) return to(v, def->as<Pack>()->body(), todo);
    if (vertices_[v].kind == Vertex::Control) {
        if (auto selection = facts_.selection(def)) {
            to(v, selection.index, todo);
            for (auto elem : selection.elems) arm(v, elem, todo);
            return;
        }
        if (auto match = def->isa<Match>()) {
            to(v, match->scrutinee(), todo);
            for (auto a : match->arms()) {
                auto lam = facts_.isa_inner_arm(a);
                arm(v, lam ? lam->body() : a, todo);
            }
            return;
        }
        return connect_call(v, def->as<App>(), todo);
    }
    std::vector<const Def*> ops;
    facts_.operands(def, ops);
    for (auto op : ops) to(v, op, todo);
}

/// Arguments that are passed by need become contexts; those that the callee never needs are left out.
void Uses::connect_call(uint32_t v, const App* call, std::vector<uint32_t>& todo) {
    to(v, call->callee(), todo);
    auto leaves = facts_.callee_leaves(call);
    if (!leaves || !(deciding_ || facts_.has_lazy(leaves->front().lam))) return to(v, call->arg(), todo);
    for (auto& leaf : *leaves) {
        auto part = facts_.part(call->arg(), leaf);
        if (deciding_ ? leaf.is_fixed : !leaf.is_lazy()) {
            to(v, part, todo);
        } else if (deciding_ || leaf.is_used) {
            arm(v, part, todo, &leaf);
        }
    }
}

/// What the elements of a pack need, and what does not depend on the index, is evaluated outside of the code that fills it, as if whoever needs
/// the pack might need it. If the pack certainly has elements and each of them needs it, so does whoever needs the pack. Packs in packs come
/// first: those around them need what they do.
void Uses::outside_of_packs() {
    std::vector<uint32_t> packs;
    for (auto v = uint32_t(size()); v-- != 0;)
        if (is_pack(v)) packs.push_back(v);
    if (packs.empty()) return;
    auto users = find_users();
    for (auto p : packs) {
        auto n         = isa_lit(vertices_[p].def->as<Pack>()->arity());
        auto certainly = n && n->value() != 0 ? outside_of(p, true) : std::vector<uint32_t>();
        for (auto v : outside_of(p, false)) {
            bool is_certain = std::ranges::find(certainly, v) != certainly.end();
            for (auto u : users[p]) {
                if (is_certain) vertices_[u].succs.push_back(v), users[v].push_back(u);
                else may_need_[v].push_back(u);
            }
        }
    }
}

bool Uses::is_pack(uint32_t v) const { return vertices_[v].kind == Vertex::Function && vertices_[v].def->isa<Pack>(); }

/// The calls and choices in the elements of `pack` that mention nothing bound in it, without those that belong to others; `strictly`: those
/// that each element needs. The body of a function has its own.
std::vector<uint32_t> Uses::outside_of(uint32_t pack, bool strictly) const {
    auto outer    = free_vars(facts_.world(), vertices_[pack].def);
    auto is_outer = [&](const Def* def) {
        return std::ranges::all_of(free_vars(facts_.world(), def),
                                   [&](auto var) { return std::ranges::find(outer, var) != outer.end(); });
    };
    std::vector<uint32_t> result;
    std::unordered_set<uint32_t> seen;
    auto todo = vertices_[pack].succs;
    while (!todo.empty()) {
        auto v       = todo.back();
        auto& vertex = vertices_[v];
        todo.pop_back();
        if (!seen.insert(v).second || (strictly && vertex.is_context())) continue;
        if (vertex.kind == Vertex::Control && is_outer(vertex.def)) result.push_back(v);
        else if (vertex.kind != Vertex::Function || is_pack(v)) todo.insert(todo.end(), vertex.succs.begin(), vertex.succs.end());
    }
    return result;
}

/// Whether the variable of this context is one of these.
bool Uses::binds(uint32_t context, Defs vars) const {
    auto& vertex      = vertices_[context];
    const Def* binder = vertex.kind == Vertex::Function ? vertex.def : nullptr;
    if (auto match = vertex.kind == Vertex::Arm ? vertices_[vertex.owner].def->isa<Match>() : nullptr) {
        auto all = arms(vertex.owner);
        auto k   = std::ranges::find(all, context) - all.begin();
        binder   = facts_.isa_inner_arm(match->arms()[size_t(k)]);
    }
    return binder && std::ranges::find(vars, binder->var()) != vars.end();
}

void Uses::dominators() {
    std::vector<uint32_t> order, number(size(), ~0u);
    std::vector<std::pair<uint32_t, size_t>> stack{{0, 0}};
    number[0] = 0;
    while (!stack.empty()) {
        auto [v, next] = stack.back();
        auto& succs    = vertices_[v].succs;
        if (next == succs.size()) {
            vertices_[v].order = uint32_t(order.size());
            order.push_back(v);
            stack.pop_back();
            continue;
        }
        ++stack.back().second;
        if (number[succs[next]] == ~0u) number[succs[next]] = 0, stack.emplace_back(succs[next], 0);
    }
    std::reverse(order.begin(), order.end());
    for (uint32_t i = 0; i != order.size(); ++i) number[order[i]] = i;
    std::vector<std::vector<uint32_t>> preds(order.size());
    for (auto v : order)
        for (auto s : vertices_[v].succs) preds[number[s]].push_back(number[v]);
    auto around = preds;
    for (auto& [v, users] : may_need_)
        for (auto u : users) around[number[v]].push_back(number[u]);
    DomTree doms(around);
    children_.assign(size(), {});
    idoms_.resize(size());
    for (uint32_t i = 1; i < order.size(); ++i) {
        idoms_[order[i]] = order[doms.idom(i)];
        children_[idoms_[order[i]]].push_back(order[i]);
    }
    find_strict(order, preds);
}

/// Users come before operands in `order`; only functions are on cycles.
void Uses::find_strict(const std::vector<uint32_t>& order, const std::vector<std::vector<uint32_t>>& preds) {
    for (uint32_t i = 1; i < order.size(); ++i) {
        auto& vertex     = vertices_[order[i]];
        auto idom        = idoms_[order[i]];
        vertex.home      = vertices_[idom].is_context() ? idom : vertices_[idom].home;
        vertex.is_strict = false;
        for (auto pred : preds[i]) {
            auto& user       = vertices_[order[pred]];
            vertex.is_strict = vertex.is_strict || order[pred] == vertex.home
                               || (!user.is_context() && user.is_strict && user.home == vertex.home);
        }
    }
}

} // namespace mim::plug::direct
