// SPDX-License-Identifier: MIT
#include "linear/facts.h"

#include <algorithm>

namespace mim::linear {

/*
 * the walk
 */

/// Tarjan's algorithm for strongly connected components, with a work list.
void Facts::connect(const Def* root) {
    struct Visit {
        const Def* def;
        uint32_t low;
        uint32_t next = 0;
    };
    std::vector<Visit> stack;
    std::vector<const Def*> open;
    auto push = [&](const Def* d) {
        at(d).order = ++num_visits_;
        stack.push_back({d, num_visits_});
        open.push_back(d);
        if (auto lam = d->isa<Lam>()) lams_.push_back(lam);
    };
    if (at(root).order == 0) push(root);
    while (!stack.empty()) {
        auto& top = stack.back();
        auto ops  = value_ops(top.def);
        if (top.next < ops.size()) {
            auto op = ops[top.next++];
            if (!op || is_static(op)) continue;
            auto& f = at(op);
            if (f.order == 0) push(op);
            else if (f.component == 0) {
                top.low  = std::min(top.low, f.order);
                f.cyclic = f.cyclic || op == top.def;
            }
            continue;
        }
        auto [def, low, next] = top;
        stack.pop_back();
        if (!stack.empty()) stack.back().low = std::min(stack.back().low, low);
        nodes_.push_back(def);
        if (low != at(def).order) continue;
        ++num_components_;
        bool cyclic = open.back() != def;
        for (const Def* d = nullptr; d != def; open.pop_back()) {
            d           = open.back();
            auto& f     = at(d);
            f.component = num_components_;
            f.cyclic    = f.cyclic || cyclic;
        }
    }
}

/// Most programs have no tokens.
bool Facts::find() {
    bool has_tokens = false;
    for (auto d : nodes_) has_tokens |= facts_[d->id()].token = types_.is_token(d);
    for (auto lam : lams_) has_tokens |= types_.is_token(lam->var()); // it may be unused
    if (!has_tokens) return false;
    for (auto d : nodes_) classify(d);
    return true;
}

void Facts::classify(const Def* d) {
    Fact f     = facts_[d->id()];
    f.known    = true;
    auto app   = d->isa<App>();
    auto known = [&](const Def* op) { return facts_[op->id()]; };
    if (app && d->type()->node() == Node::Pi)
        f.token = known(app->callee()).token || (!is_static(app->arg()) && known(app->arg()).token);
    f.has_token = f.token;
    if (d->node() == Node::Lam) {
        f.anchored = !world_.is_closed(d);
    } else if (f.token || !binder_of(d)) {
        for (auto op : value_ops(d)) {
            if (!op || is_static(op)) continue;
            f.has_token |= known(op).has_token;
            f.anchored |= op->node() == Node::Lam ? !world_.is_closed(op) : known(op).anchored && !known(op).token;
        }
    }
    facts_[d->id()] = f;
}

/*
 * answers
 */

const Facts::Fact& Facts::of(const Def* d) {
    auto& res = at(d);
    if (!res.known && res.component == 0 && d->node() != Node::Lam) { // made after the walk: a projection of a token
        res.known = true;
        res.token = res.has_token = types_.is_token(d);
    }
    return res;
}

bool Facts::makes_from_token(const Def* d) {
    while (auto ex = d->isa<Extract>()) d = ex->tuple();
    return std::ranges::any_of(value_ops(d), [&](auto op) { return op && !is_static(op) && is_token(op); });
}

bool Facts::matters(const Key& key) {
    auto d = key.def;
    if (is_static(d)) return false;
    auto& fact = of(d);
    if (fact.has_token || fact.anchored) return true;
    return key.mode == Mode::Value ? is_never(d) : d->node() == Node::Lam;
}

bool Facts::is_table(const Key& choice) {
    auto& tuple = of(choice.def->as<Extract>()->tuple());
    return choice.mode == Mode::Value && !is_never(choice.def) && !tuple.has_token && !tuple.anchored;
}

} // namespace mim::linear
