// SPDX-License-Identifier: MIT
#include "linear/facts.h"

#include <algorithm>

namespace mim::linear {

/*
 * types
 */

/// Adds the values in a type, from the outside in.
static void add_values(World& world, const Def* type, std::vector<const Def*>& values) {
    DefSet seen, vars; // of the types on the way
    std::vector<const Def*> todo{type};
    auto is_own = [&](const Def* var) { return vars.contains(var); };
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || d->isa<Var>() || is_closed(world, d) || !seen.insert(d)) continue;
        bool is_value = !is_static(d) && !makes_types(d);
        if (is_value && std::ranges::none_of(free_vars(world, d), is_own)) {
            values.push_back(d);
            continue;
        }
        if (is_value && d->isa<Lam>()) continue;
        if (auto var = d->var()) vars.insert(var);
        for (auto op : d->is_set() ? d->ops() : Defs()) todo.push_back(op);
    }
}

std::span<const Def* const> Facts::type_values(const Def* d) {
    auto is_open = [&](const Def* op) { return op && (is_static(op) || makes_types(op)) && !is_closed(world_, op); };
    auto ops     = value_ops(d);
    if (std::ranges::none_of(ops, is_open)) return {};
    auto [known, is_new] = type_values_.try_emplace(d);
    if (is_new)
        for (auto op : ops)
            if (is_open(op)) add_values(world_, op, known->second);
    return known->second;
}

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
            auto next = top.next++;
            if (next < ops.size()) {
                follow(ops[next]);
                continue;
            }
            auto in_types = type_values(top.def);
            if (next - ops.size() < in_types.size()) follow(in_types[next - ops.size()]);
            else leave();
        }
    }
}

/// Most programs have no tokens.
bool Facts::find_tokens() {
    bool has_tokens = false;
    for (auto d : nodes_) has_tokens |= facts_[d->id()].token = types_.is_token(d);
    for (auto lam : lams_) has_tokens |= types_.is_token(lam->var()); // it may be unused
    return has_tokens;
}

void Facts::find() {
    for (auto d : nodes_) classify(d);
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
    for (auto op : type_values(d)) f.reaches |= reaches(op);
    if (d->node() == Node::Lam) {
        f.reaches |= types_.is_token(d->as<Lam>()->var());
        f.anchored = f.reaches && !is_closed(world_, d);
    } else if (f.token || !binder_of(d)) {
        auto add = [&](const Def* op) {
            f.has_token |= known(op).has_token;
            bool is_lam = op->node() == Node::Lam;
            f.anchored |= is_lam ? reaches(op) && !is_closed(world_, op) : known(op).anchored && !known(op).token;
        };
        for (auto op : value_ops(d))
            if (op && !is_static(op)) add(op);
        for (auto op : type_values(d)) add(op);
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
