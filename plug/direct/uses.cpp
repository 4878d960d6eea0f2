// SPDX-License-Identifier: MIT
// See uses.h.
#include "uses.h"

#include <algorithm>

namespace mim::plug::direct {

const Extract* Facts::isa_selection(const Def* def) {
    auto extract = def->isa<Extract>();
    return extract && extract->tuple()->isa<Tuple>() && !extract->index()->isa<Lit>() && is_term(def) ? extract : nullptr;
}

const Def* Facts::distributed(const Def* def) {
    auto app       = def->isa<App>();
    auto selection = app && app->type()->isa<Bot>() ? isa_selection(app->callee()) : nullptr;
    if (!selection || !is_control(selection)) return def;
    std::vector<const Def*> calls;
    for (auto callee : selection->tuple()->ops()) calls.push_back(world_.app(callee, app->arg()));
    return world_.extract(world_.tuple(calls), selection->index());
}

bool Facts::is_call(const Def* def) {
    auto app = def->isa<App>();
    if (!app || app->type()->isa<Bot>() || head_axiom(app) || app->callee()->isa<Idx>()) return false;
    auto pi = app->callee()->type()->isa<Pi>();
    return pi && !pi->is_cn() && is_term(app);
}

bool Facts::is_control(const Def* def) {
    if (is_call(def) || is_match(def)) return true;
    auto selection = isa_selection(def);
    if (!selection) return false;
    if (def->type()->isa<Bot>()) return true;
    for (auto op : selection->tuple()->ops())
        if (!is_speculatable(op)) return true;
    return false;
}

bool Facts::is_speculatable(const Def* root) {
    auto known = [&](const Def* def) { return def->isa<Lam>() || def->isa<Var>() || speculatable_.contains(def); };
    std::vector<const Def*> todo{root}, ops;
    while (!todo.empty()) {
        auto def = todo.back();
        if (known(def)) {
            todo.pop_back();
            continue;
        }
        ops.clear();
        run_time_ops(def, ops);
        auto size = todo.size();
        for (auto op : ops)
            if (!known(op)) todo.push_back(op);
        if (todo.size() != size) continue;
        todo.pop_back();
        bool result = !is_call(def) && !def->isa<Match>();
        // a partial application is part of the operation that it belongs to
        if (auto axm = head_axiom(def); axm && def->isa<App>() && (saturated_axiom(def) || !def->type()->isa<Pi>()))
            result = result && axm->axiom().has(Axiom::Speculatable);
        for (auto op : ops) result = result && (op->isa<Lam>() || op->isa<Var>() || speculatable_[op]);
        speculatable_[def] = result;
    }
    return root->isa<Lam>() || root->isa<Var>() || speculatable_[root];
}

Uses::Uses(Facts& facts, const Lam* root)
    : facts_(facts) {
    std::vector<uint32_t> todo;
    add(root, Vertex::Function, todo);
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        connect(v, todo);
    }
    dominators();
}

uint32_t Uses::add(const Def* def, Vertex::Kind kind, std::vector<uint32_t>& todo) {
    auto v = uint32_t(vertices_.size());
    if (kind != Vertex::Arm) {
        auto [i, fresh] = ids_.try_emplace(def, v);
        if (!fresh) return i->second;
    }
    vertices_.push_back({});
    vertices_.back().kind = kind;
    vertices_.back().def  = def;
    todo.push_back(v);
    return v;
}

void Uses::connect(uint32_t v, std::vector<uint32_t>& todo) {
    auto to = [&](const Def* def) {
        def = facts_.distributed(def);
        if (def->isa<Lit>() || def->isa<Axm>() || def->isa<Var>() || (def->isa<Pack>() && def->var())) return;
        auto kind = Vertex::Simple;
        if (auto lam = def->isa<Lam>()) {
            if (facts_.is_closed(lam) || !facts_.is_run_time(lam)) return;
            kind = Vertex::Function;
        } else if (facts_.is_control(def)) {
            kind = Vertex::Control;
        }
        auto s = add(def, kind, todo);
        vertices_[v].succs.push_back(s);
    };
    auto arm = [&](const Def* def) {
        auto a             = add(def, Vertex::Arm, todo);
        vertices_[a].owner = v;
        vertices_[v].succs.push_back(a);
    };
    auto def = vertices_[v].def;
    if (vertices_[v].kind == Vertex::Arm) return to(def);
    if (auto lam = def->isa<Lam>()) return to(lam->body());
    if (vertices_[v].kind == Vertex::Control) {
        if (auto selection = facts_.isa_selection(def)) {
            to(selection->index());
            for (auto op : selection->tuple()->ops()) arm(op);
            return;
        }
        if (auto match = def->isa<Match>()) {
            to(match->scrutinee());
            for (auto a : match->arms()) arm(a->isa<Lam>() ? a->as<Lam>()->body() : a);
            return;
        }
    }
    std::vector<const Def*> ops;
    run_time_ops(def, ops);
    for (auto op : ops) to(op);
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
    DomTree doms(preds);
    children_.resize(size());
    for (uint32_t i = 1; i < order.size(); ++i) children_[order[doms.idom(i)]].push_back(order[i]);
}

const std::vector<uint32_t>& Uses::enter(uint32_t context) {
    auto [i, fresh] = items_.try_emplace(context);
    if (!fresh) return i->second;
    for (auto v : needs(context))
        if (vertices_[v].kind == Vertex::Control) strict_.insert(v);

    // what is not needed on every path becomes a context of its own, which takes what only it needs along
    bool changed = false;
    std::vector<uint32_t> result, todo = children_[context];
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        auto& vertex = vertices_[v];
        if (vertex.kind == Vertex::Control && !strict_.contains(v)) vertex.kind = Vertex::Thunk, changed = true;
        vertex.home = context;
        if (vertex.kind != Vertex::Simple && vertex.kind != Vertex::Arm) result.push_back(v);
        if (!vertex.is_context()) todo.insert(todo.end(), children_[v].begin(), children_[v].end());
    }
    if (changed) needs_.clear();
    for (auto v : needs(context))
        if (vertices_[v].kind == Vertex::Thunk && vertices_[v].home != context) result.push_back(v);
    std::sort(result.begin(), result.end(), [&](auto a, auto b) { return vertices_[a].order < vertices_[b].order; });
    return items_[context] = std::move(result);
}

/// Controls that are evaluated whenever v is: those reached without entering an arm or a function, and those that all arms of a
/// selection among them need.
const std::vector<uint32_t>& Uses::needs(uint32_t v) {
    if (auto i = needs_.find(v); i != needs_.end()) return i->second;
    std::vector<uint32_t> result;
    needs_[v]; // a cycle through a function needs nothing more
    collect(v, result);
    std::sort(result.begin(), result.end());
    return needs_[v] = std::move(result);
}

void Uses::collect(uint32_t from, std::vector<uint32_t>& out) {
    std::unordered_set<uint32_t> seen;
    std::vector<uint32_t> todo = vertices_[from].succs;
    while (!todo.empty()) {
        auto v       = todo.back();
        auto& vertex = vertices_[v];
        todo.pop_back();
        bool evaluated = strict_.contains(v) && vertex.home != from;
        if (vertex.kind == Vertex::Thunk && seen.insert(v).second) out.push_back(v);
        if (vertex.is_context() || evaluated || !seen.insert(v).second) continue;
        if (vertex.kind == Vertex::Control) out.push_back(v);
        bool first = true;
        std::vector<uint32_t> common;
        for (auto s : vertex.succs) {
            if (vertices_[s].kind != Vertex::Arm) {
                todo.push_back(s);
                continue;
            }
            auto& arm = needs(s);
            if (first) {
                common = arm;
            } else {
                std::vector<uint32_t> both;
                std::set_intersection(common.begin(), common.end(), arm.begin(), arm.end(), std::back_inserter(both));
                common.swap(both);
            }
            first = false;
        }
        for (auto c : common)
            if (seen.insert(c).second) out.push_back(c);
    }
}

} // namespace mim::plug::direct
