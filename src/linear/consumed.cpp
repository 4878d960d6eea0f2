// SPDX-License-Identifier: MIT
#include "linear/consumed.h"

#include <algorithm>

#include "base/worklist.h"

namespace mim::linear {

static DefSet common_to(const DefSet& a, const DefSet& b) {
    DefSet res;
    for (auto d : a)
        if (b.contains(d)) res.insert(d);
    return res;
}

/// Of a choice, what its alternatives have in common. In choices that are nested deep, nothing is known of the inner ones.
Consumed::Origins Consumed::origins_of(const Def* token, unsigned depth) {
    Origins res;
    res.whole.insert(token);
    Worklist<const Def*> todo{token};
    while (auto d = todo.next()) {
        res.all.insert(d);
        auto holder = check_.facts.is_token(d) ? projected(d) : nullptr;
        for (; holder; holder = projected(holder)) res.all.insert(holder); // whoever takes all of it takes the token
        if (d->isa<Lam>() || d->isa<Var>()) continue;
        auto source = source_of(d);
        for (auto operand : source.all) res.whole.insert(operand);
        todo.push_all(source.all);
        todo.push(source.projected);
        if (source.one_of.empty() || depth == 0) continue;
        auto common = origins_of(source.one_of.front(), depth - 1);
        for (auto other : std::span(source.one_of).subspan(1)) {
            auto origins = origins_of(other, depth - 1);
            common       = {common_to(common.all, origins.all), common_to(common.whole, origins.whole)};
        }
        for (auto origin : common.all) todo.push(origin);
        for (auto origin : common.whole) res.whole.insert(origin);
    }
    return res;
}

/// A token is handed over. A function that the program names takes its other arguments by need, so they may be
/// evaluated later.
bool Consumed::is_evaluated(const App* app, const Def* elem, size_t i) {
    bool is_by_need = !is_never(app) && named_function(app->callee());
    return check_.facts.is_token(elem) || (!is_by_need && check_.needs.argument(app, i));
}

/// Whoever consumes this value consumes the token, or something that the token is made from.
bool Consumed::is_origin(const Asked& asked, const Def* d) {
    if (!check_.facts.is_token(d)) return false;
    if (asked.origins.all.contains(d)) return true;
    while (projected(d) && !asked.origins.whole.contains(d)) d = projected(d);
    return asked.origins.whole.contains(d);
}

/// The same part of what each arm makes; none if an arm is not known.
static std::vector<const Def*> parts_of_arms(World& world, const Match* match, const std::vector<const Def*>& path) {
    std::vector<const Def*> res;
    for (auto arm : match->arms()) {
        auto lam = arm->isa<Lam>();
        if (!lam || !lam->is_set()) return {};
        auto part = lam->body();
        for (auto index = path.rbegin(); index != path.rend(); ++index) part = world.extract(part, *index);
        res.push_back(part);
    }
    return res;
}

/// A projection of a choice, or of a `match`, is the same part of one of its alternatives.
Consumed::Source Consumed::source_of(const Def* node) {
    Source res;
    std::vector<const Def*> path;
    for (; projected(node); node = projected(node)) path.push_back(node->as<Extract>()->index());
    auto match = node->isa<Match>();
    auto tuple = isa_choice(node);
    if (match) {
        res.all.push_back(match->scrutinee());
        if (path.empty()) res.one_of.assign(match->arms().begin(), match->arms().end());
        else res.one_of = parts_of_arms(check_.world, match, path);
    } else if (tuple) {
        res.all.push_back(node->as<Extract>()->index());
        for (auto part : tuple->ops()) {
            for (auto index = path.rbegin(); index != path.rend(); ++index) part = check_.world.extract(part, *index);
            res.one_of.push_back(part);
        }
    } else if (!path.empty()) {
        res.projected = node;
    } else if (auto lam = node->isa<Lam>()) {
        auto fn       = check_.summaries.fn(lam);
        auto is_token = [&](const Def* d) { return check_.facts.is_token(d); };
        if (fn) std::ranges::copy_if(fn->captures, std::back_inserter(res.all), is_token);
    } else if (auto app = node->isa<App>()) {
        res.all.push_back(app->callee());
        for (size_t i = 0; auto elem : arg_elems(app)) {
            if (!is_static(elem) && is_evaluated(app, elem, i)) res.all.push_back(elem);
            ++i;
        }
    } else if (!node->isa<Pack>()) {
        auto ops = value_ops(node);
        res.all.assign(ops.begin(), ops.end());
    }
    std::erase_if(res.all, [](auto op) { return !op || is_static(op); });
    return res;
}

Consumed::Consumed(Check& check, const Def* call)
    : check_(check)
    , call_(call) {
    Worklist<const Def*> todo{call};
    while (auto node = todo.next()) {
        auto source = source_of(node);
        for (auto operand : source.all) whatever_.insert(operand);
        todo.push_all(source.all);
        todo.push(source.projected);
    }
}

bool Consumed::contains(const Def* token) const {
    while (!whatever_.contains(token) && token->isa<Extract>()) token = token->as<Extract>()->tuple();
    return whatever_.contains(token);
}

bool Consumed::answer(const Asked& asked, const Def* node) {
    if (asked.origins.all.contains(node)) return false; // it makes the token
    auto source      = source_of(node);
    auto consumes    = [&](const Def* d) { return !is_static(d) && asked.answers.at(d); };
    auto is_consumed = [&](const Def* d) { return consumes(d) || is_origin(asked, d); };
    if (source.projected) return consumes(source.projected);
    if (std::ranges::any_of(source.all, is_consumed)) return true;
    return !source.one_of.empty() && std::ranges::all_of(source.one_of, is_consumed);
}

bool Consumed::on_all_paths(const Def* token) {
    Asked asked{origins_of(token, MaxDepth), {}};
    auto parts = [&](const Def* node, auto push) { source_of(node).visit(push); };
    answer_operands_first(call_, asked.answers, parts, [&](const Def* node) { return answer(asked, node); });
    return asked.answers.at(call_);
}

} // namespace mim::linear
