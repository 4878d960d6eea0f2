// SPDX-License-Identifier: MIT
#include "linear/consumed.h"

#include <algorithm>

#include "base/worklist.h"

namespace mim::linear {

static DefSet origins_of(const Def* token) {
    DefSet res;
    Worklist<const Def*> todo{token};
    while (auto d = todo.next()) {
        res.insert(d);
        if (d->isa<Lam>() || d->isa<Var>()) continue;
        for (auto op : value_ops(d))
            if (op && !is_static(op)) todo.push(op);
    }
    return res;
}

/// It takes one part out of this; null if it is something else.
static const Def* projected(const Def* d) {
    auto ex = d->isa<Extract>();
    return ex && isa_lit(ex->index()) ? ex->tuple() : nullptr;
}

/// One of them is evaluated with the node.
static Defs arms_of(const Def* node) {
    if (auto match = node->isa<Match>()) return match->arms();
    auto tuple = isa_choice(node);
    return tuple ? tuple->ops() : Defs();
}

/// Those that are evaluated with the node, whatever the alternatives are.
std::vector<const Def*> Consumed::operands(const Def* node) {
    std::vector<const Def*> res;
    if (auto match = node->isa<Match>()) {
        res.push_back(match->scrutinee());
    } else if (isa_choice(node)) {
        res.push_back(node->as<Extract>()->index());
    } else if (auto lam = node->isa<Lam>()) {
        if (auto fn = check_.summaries.fn(lam)) res.assign(fn->captures.begin(), fn->captures.end());
    } else {
        for (auto op : value_ops(node)) res.push_back(op);
    }
    std::erase_if(res, [](auto op) { return !op || is_static(op); });
    return res;
}

Consumed::Consumed(Check& check, const Def* call)
    : check_(check)
    , call_(call) {
    Worklist<const Def*> todo{call};
    while (auto node = todo.next()) {
        if (auto tuple = projected(node)) {
            todo.push(tuple);
            continue;
        }
        for (auto operand : operands(node)) {
            whatever_.insert(operand);
            todo.push(operand);
        }
    }
}

bool Consumed::contains(const Def* token) const {
    while (!whatever_.contains(token) && token->isa<Extract>()) token = token->as<Extract>()->tuple();
    return whatever_.contains(token);
}

bool Consumed::is_such_operand(const Asked& asked, const Def* operand) {
    if (!operand || is_static(operand)) return false;
    bool is_origin = check_.facts.is_token(operand) && asked.origins.contains(operand);
    return is_origin || asked.answers.at(operand);
}

bool Consumed::all(const Asked& asked, Defs arms) {
    return std::ranges::all_of(arms, [&](auto each) { return is_such_operand(asked, each); });
}

bool Consumed::answer(const Asked& asked, const Def* node) {
    if (asked.origins.contains(node)) return false; // it makes the token
    if (auto tuple = projected(node)) return asked.answers.at(tuple);
    bool res = std::ranges::any_of(operands(node), [&](auto operand) { return is_such_operand(asked, operand); });
    return res || (!arms_of(node).empty() && all(asked, arms_of(node)));
}

bool Consumed::on_all_paths(const Def* token) {
    Asked asked{origins_of(token), {}};
    std::vector<std::pair<const Def*, bool>> todo{{call_, false}};
    while (!todo.empty()) {
        auto [node, is_entered] = todo.back();
        todo.pop_back();
        if (is_entered) {
            asked.answers[node] = answer(asked, node);
            continue;
        }
        if (!asked.answers.try_emplace(node, false).second) continue;
        todo.emplace_back(node, true);
        auto push = [&](const Def* part) {
            if (part && !is_static(part)) todo.emplace_back(part, false);
        };
        if (auto tuple = projected(node)) push(tuple);
        else std::ranges::for_each(operands(node), push);
        std::ranges::for_each(arms_of(node), push);
    }
    return asked.answers.at(call_);
}

} // namespace mim::linear
