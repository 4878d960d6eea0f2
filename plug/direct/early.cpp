// SPDX-License-Identifier: MIT
// Calls with effects that happen before another call, because what comes after that consumes their token:
//
//     let (mem, n) = count mem;
//     ret y        = next $ ((n, 1)#b);
//     return (mem, y)
//
// Both the argument and the continuation need `count mem`, and neither does whenever the other one is entered. But the token makes sure
// that it happens, so `next` is called afterwards.
#include "uses.h"

namespace mim::plug::direct {

/// Whether `call` calls `continuation` once if it comes back, and leads nowhere else.
static bool returns_to(World& world, const Def* call, const Def* continuation) {
    auto app = call->isa<App>();
    if (!app || call->type()->node() != Node::Bot) return false;
    auto callee = app->callee();
    if ((callee->isa<Lam>() && !world.is_closed(callee)) || (callee->isa<Extract>() && callee->op(0)->isa<Tuple>())) return false;
    auto elems = app->arg()->isa<Tuple>() ? app->arg()->ops() : app->ops().subspan(1);
    if (elems.back() != continuation) return false;
    for (auto elem : elems.first(elems.size() - 1))
        if (!is_static(elem) && holds_function(elem->type())) return false;
    return true;
}

bool Uses::add_early() {
    std::vector<std::vector<uint32_t>> users;
    bool any = false;
    for (uint32_t v = 1; v != size(); ++v) {
        auto& vertex = vertices_[v];
        if (vertex.kind != Vertex::Control || vertex.is_strict || !facts_.is_effect(vertex.def)) continue;
        if (users.empty()) users = find_users();
        auto call = early_call(v, users);
        if (call) vertices_[call].succs.push_back(v), any = true;
    }
    return any;
}

std::vector<std::vector<uint32_t>> Uses::find_users() const {
    std::vector<std::vector<uint32_t>> users(size());
    for (uint32_t u = 0; u != size(); ++u)
        for (auto s : vertices_[u].succs) users[s].push_back(u);
    return users;
}

/// The call that is made whenever the home of the effect v is entered and whose continuation, or one in that, consumes its token in any
/// case; else 0.
uint32_t Uses::early_call(uint32_t v, const std::vector<std::vector<uint32_t>>& users) {
    auto effect = vertices_[v].def;
    std::unordered_set<uint32_t> seen;
    std::vector<uint32_t> todo;
    for (auto u : users[v]) {
        auto part = vertices_[u].def->isa<Extract>();
        if (!part || part->tuple() != effect || facts_.is_effect(part)) todo.push_back(u);
    }
    while (!todo.empty()) {
        auto u = todo.back();
        todo.pop_back();
        auto kind = vertices_[u].kind;
        if (kind == Vertex::Arm || kind == Vertex::Delay || !seen.insert(u).second) continue;
        if (kind != Vertex::Function) {
            todo.insert(todo.end(), users[u].begin(), users[u].end());
            continue;
        }
        std::vector<uint32_t> calls;
        for (auto user : users[u]) // by itself, or in a tuple
            if (vertices_[user].def->isa<Tuple>()) calls.insert(calls.end(), users[user].begin(), users[user].end());
            else calls.push_back(user);
        for (auto call : calls) {
            if (!returns_to(facts_.world(), vertices_[call].def, vertices_[u].def)) continue;
            if (vertices_[call].home == vertices_[v].home && vertices_[call].is_strict) return call;
            todo.push_back(call);
        }
    }
    return 0;
}

} // namespace mim::plug::direct
