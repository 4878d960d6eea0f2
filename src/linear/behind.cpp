// SPDX-License-Identifier: MIT
#include "linear/behind.h"

#include <algorithm>
#include <utility>

#include "base/domtree.h"

namespace mim::linear {

/// Of all functions that the node may enter, if these are known.
std::vector<const Def*> Behind::bodies_of(const Def* node) {
    std::vector<const Lam*> lams;
    std::vector<const Def*> others;
    if (auto app = node->isa<App>()) callees(app->callee(), lams, others);
    if (auto match = node->isa<Match>())
        for (auto arm : match->arms()) callees(arm, lams, others);
    auto is_known = [](const Lam* lam) { return lam->is_set() && !lam->is_cn(); };
    if (!others.empty() || !std::ranges::all_of(lams, is_known)) return {};
    std::vector<const Def*> bodies;
    for (auto lam : lams) bodies.push_back(lam->body());
    return bodies;
}

/// The elements of its argument that a call in direct style always evaluates, some time.
std::vector<const Def*> Behind::needed_by(const Def* node) {
    std::vector<const Def*> res;
    auto app = node->isa<App>();
    if (!app || is_never(app) || app->type()->isa<Pi>()) return res;
    for (size_t i = 0; auto elem : arg_elems(app)) {
        if (!is_static(elem) && check_.needs.argument(app, i)) res.push_back(elem);
        ++i;
    }
    return res;
}

template<class F>
void Behind::visit(const Def* from, Answers& answers, F answer) {
    auto parts = [&](const Def* node, auto push) {
        consumed_.source_of(node).visit(push);
        std::ranges::for_each(bodies_of(node), push);
        std::ranges::for_each(needed_by(node), push);
    };
    answer_operands_first(from, answers, parts, answer);
}

bool Behind::answer_leads(const Def* node) {
    for (auto whole = node; whole; whole = projected(whole)) // a part is there once all of it is
        if (whole == call_ || deciders_.contains(whole)) return true;
    auto leads  = [&](const Def* d) { return d && !is_static(d) && leads_.at(d); };
    auto source = consumed_.source_of(node);
    auto bodies = bodies_of(node);
    if (leads(source.projected) || std::ranges::any_of(source.all, leads) || std::ranges::any_of(needed_by(node), leads))
        return true;
    if (!source.one_of.empty() && std::ranges::all_of(source.one_of, leads)) return true;
    return !bodies.empty() && std::ranges::all_of(bodies, leads);
}

bool Behind::leads(const Def* node) {
    visit(node, leads_, [&](const Def* d) { return answer_leads(d); });
    return leads_.at(node);
}

bool Behind::answer_decides(const Def* node) {
    if (!reaching_.contains(node) || leads(node)) return true;
    auto decides = [&](const Def* d) { return is_static(d) || decides_.at(d); };
    auto source  = consumed_.source_of(node);
    if (isa_choice(node)) return std::ranges::all_of(source.one_of, decides); // the index is a number: nothing is left of it
    auto app    = node->isa<App>();
    auto match  = node->isa<Match>();
    auto bodies = bodies_of(node);
    auto leaves = [&](const Def* elem) { return !is_static(elem) && reaching_.contains(elem); };
    if (bodies.empty() || (app && std::ranges::any_of(arg_elems(app), leaves)) || (match && leaves(match->scrutinee())))
        return false;
    return std::ranges::all_of(bodies, decides);
}

bool Behind::decides(const Def* node) {
    visit(node, decides_, [&](const Def* d) { return answer_decides(d); });
    return decides_.at(node);
}

/*
 * the nodes of the λ
 */

/// The nodes that this one may ask for. A closed function asks for nothing of the λ.
std::vector<const Def*> Behind::operands_of(const Def* node) {
    std::vector<const Def*> res;
    auto add = [&](const Def* op) {
        auto lam = op ? op->isa<Lam>() : nullptr;
        if (op && !is_static(op) && !(lam && is_closed(check_.world, lam))) res.push_back(op);
    };
    std::ranges::for_each(value_ops(node), add);
    std::ranges::for_each(check_.facts.type_values(node), add);
    return res;
}

void Behind::find_nodes() {
    struct Visit {
        const Def* def;
        std::vector<const Def*> ops;
        size_t next = 0;
    };
    std::vector<Visit> stack;
    std::vector<std::vector<const Def*>> operands;
    auto enter = [&](const Def* d) {
        if (number_.try_emplace(d, 0).second) stack.push_back({d, operands_of(d)});
    };
    enter(fn_.lam->body());
    while (!stack.empty()) {
        auto& top = stack.back();
        if (top.next != top.ops.size()) {
            enter(top.ops[top.next++]);
            continue;
        }
        nodes_.push_back(top.def);
        operands.push_back(std::move(top.ops));
        stack.pop_back();
    }
    std::ranges::reverse(nodes_);
    std::ranges::reverse(operands);
    for (uint32_t i = 0; i != nodes_.size(); ++i) number_[nodes_[i]] = i;
    users_.resize(nodes_.size());
    for (uint32_t i = 0; i != nodes_.size(); ++i)
        for (auto op : operands[i]) users_[number_.at(op)].push_back(i);
}

/// The nodes of the λ that lead to this one.
DefSet Behind::reaching(const Def* node) {
    DefSet res;
    auto at = number_.find(node);
    if (at == number_.end()) return res;
    std::vector<uint32_t> todo{at->second};
    while (!todo.empty()) {
        auto v = todo.back();
        todo.pop_back();
        if (res.insert(nodes_[v])) todo.insert(todo.end(), users_[v].begin(), users_[v].end());
    }
    return res;
}

/// They are among the nodes that all that leads to the call leads to.
void Behind::find_deciders() {
    find_nodes();
    reaching_ = reaching(call_);
    if (reaching_.empty()) return;
    DomTree doms(users_);
    DefSet found;
    for (auto v = number_.at(call_); v != 0; v = doms.idom(v))
        if (auto d = nodes_[doms.idom(v)]; !d->isa<Lam>() && decides(d)) found.insert(d);
    deciders_ = std::move(found);
    leads_.clear();
}

/// The functions that a λ with this body chooses one of at its end, if nothing else is evaluated there that leads to
/// such a node.
static Defs last_choice(const Def* body, const DefSet& leading) {
    auto app    = body->isa<App>();
    auto choice = app && is_never(app) ? isa_choice(app->callee()) : nullptr;
    bool other  = choice && (leading.contains(app->arg()) || leading.contains(app->callee()->as<Extract>()->index()));
    return choice && !other ? choice->ops() : Defs();
}

/// Whether no path through the λ evaluates both the call and the token.
bool Behind::are_alternatives(const Def* token) {
    auto leading = reaching(token);
    for (auto body = fn_.lam->body(); body;) {
        auto arms       = last_choice(body, reaching_);
        auto others     = last_choice(body, leading);
        const Def* both = nullptr;
        bool is_one     = true; // of the arms, at most
        for (auto arm : arms)
            if (reaching_.contains(arm) && leading.contains(arm)) is_one = !both, both = arm;
        if (arms.empty() || others.empty() || !is_one) return false;
        if (!both) return true;
        auto lam = both->isa<Lam>();
        body     = lam && lam->is_set() ? lam->body() : nullptr;
    }
    return false;
}

bool Behind::contains(const Def* token) {
    if (leads(token)) return true;
    if (!std::exchange(is_found_, true)) {
        find_deciders();
        if (leads(token)) return true;
    }
    return are_alternatives(token);
}

} // namespace mim::linear
