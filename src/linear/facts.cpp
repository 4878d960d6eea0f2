// SPDX-License-Identifier: MIT
#include "linear/facts.h"

#include <algorithm>

namespace mim::linear {

/*
 * the walk
 */

/// Tarjan's algorithm for strongly connected components, with a work list.
void Facts::connect(std::span<const Lam* const> roots) {
    struct Visit {
        const Def* def;
        uint32_t low;
        uint32_t next = 0;
    };
    std::vector<Visit> stack;
    std::vector<const Def*> open;
    auto enter = [&](const Def* d) {
        at(d).order = ++num_visits_;
        stack.push_back({d, num_visits_});
        open.push_back(d);
        if (auto lam = d->isa<Lam>()) lams_.push_back(lam);
    };
    auto follow = [&](const Def* op) {
        if (!op || is_static(op)) return;
        auto& fact = at(op);
        if (fact.order == 0) return enter(op);
        if (fact.component != 0) return;
        auto& user  = stack.back();
        user.low    = std::min(user.low, fact.order);
        fact.cyclic = fact.cyclic || op == user.def;
    };
    auto close = [&](const Def* first) {
        ++num_components_;
        bool cyclic = open.back() != first;
        for (const Def* d = nullptr; d != first; open.pop_back()) {
            d              = open.back();
            auto& fact     = at(d);
            fact.component = num_components_;
            fact.cyclic    = fact.cyclic || cyclic;
        }
    };
    auto leave = [&] {
        auto [def, low, next] = stack.back();
        stack.pop_back();
        if (!stack.empty()) stack.back().low = std::min(stack.back().low, low);
        nodes_.push_back(def);
        if (low == at(def).order) close(def);
    };
    for (auto root : roots) {
        if (at(root).order == 0) enter(root);
        while (!stack.empty()) {
            auto& top = stack.back();
            auto ops  = value_ops(top.def);
            if (top.next < ops.size()) follow(ops[top.next++]);
            else leave();
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
    f.has_token  = f.token;
    f.reaches    = f.token || f.cyclic || is_never(d);
    auto reaches = [&](const Def* op) { return !known(op).known || known(op).reaches; }; // on a cycle, it is not known yet
    for (auto op : value_ops(d)) f.reaches |= op && !is_static(op) && reaches(op);
    if (d->node() == Node::Lam) {
        f.reaches |= types_.is_token(d->as<Lam>()->var());
        f.anchored = f.reaches && !is_closed(world_, d);
    } else if (f.token || !binder_of(d)) {
        for (auto op : value_ops(d)) {
            if (!op || is_static(op)) continue;
            f.has_token |= known(op).has_token;
            bool is_lam = op->node() == Node::Lam;
            f.anchored |= is_lam ? reaches(op) && !is_closed(world_, op) : known(op).anchored && !known(op).token;
        }
    }
    facts_[d->id()] = f;
}

/*
 * answers
 */

/// A node that was made after the walk is a projection of a token.
const Facts::Fact& Facts::made_later(const Def* d, Fact& fact) {
    fact.known = true;
    fact.token = fact.has_token = types_.is_token(d);
    return fact;
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
