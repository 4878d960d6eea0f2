// SPDX-License-Identifier: MIT
#include "ir/rule_index.h"

#include <algorithm>

#include "ir/size_equations.h"
#include "ir/world.h"

namespace mim {

/// Equal expressions have the same: a closed literal, or the axiom at the head. Null if equal ones may differ in it, as sizes do, which are
/// equations.
const Def* RuleIndex::symbol(const Def* d) {
    if (SizeEquations::is_size(d)) return nullptr;
    bool is_open = d->has(Def::HasDep) || d->type()->has(Def::HasDep) || d->type()->is_mut();
    if (d->isa<Lit>()) return is_open ? nullptr : d;
    return head_axiom(d);
}

/// Literals tell more rules apart than axioms do.
const Def* RuleIndex::anchor(const Def* left, Place& place) {
    const Def* res = nullptr;
    auto offer     = [&](const Def* d, Place where) {
        auto found = symbol(d);
        if (!found || (res && !(found->isa<Lit>() && !res->isa<Lit>()))) return;
        res = found, place = where;
    };
    uint32_t group = 0;
    for (auto app = left->isa<App>(); app; app = app->callee()->isa<App>(), ++group) {
        offer(app->arg(), {group});
        if (!app->arg()->isa<Tuple>()) continue;
        for (uint32_t i = 0; i < app->arg()->num_ops(); ++i) {
            auto elem = app->arg()->op(i);
            offer(elem, {group, i});
            if (!elem->isa<Tuple>()) continue;
            for (uint32_t j = 0; j < elem->num_ops(); ++j) offer(elem->op(j), {group, i, j});
        }
    }
    return res;
}

/// Null if there is nothing at this place.
const Def* RuleIndex::at(World& world, const Def* app, const Place& place) {
    for (uint32_t i = 0; i < place.group; ++i) app = app->as<App>()->callee();
    auto res = app->as<App>()->arg();
    for (auto i : {place.elem, place.inner}) {
        if (i == Whole) break;
        if (lit_arity(world, res->type()) <= static_cast<int64_t>(i)) return nullptr;
        res = world.extract(res, i);
    }
    return res;
}

RuleIndex::Rules& RuleIndex::rules(const Axiom* head, size_t num_groups) {
    auto& all = heads_[head];
    auto it   = std::ranges::find(all, num_groups, &Rules::num_groups);
    return it != all.end() ? *it : all.emplace_back(Rules{num_groups, {}, {}});
}

void RuleIndex::add(RewriteRule* rule) {
    auto& rules = this->rules(&head_axiom(rule->lhs)->axiom(), num_groups(rule->lhs));
    Entry entry{size_++, rule};
    Place place;
    auto symbol = anchor(rule->lhs, place);
    if (!symbol) return rules.others.push_back(entry);
    auto it = std::ranges::find(rules.anchored, place, &Anchored::place);
    if (it == rules.anchored.end()) it = rules.anchored.insert(it, {place, {}});
    it->rules[symbol].push_back(entry);
}

std::vector<RewriteRule*> RuleIndex::find(World& world, const Def* app) const {
    auto all = heads_.find(&head_axiom(app)->axiom());
    if (all == heads_.end()) return {};
    auto rules = std::ranges::find(all->second, num_groups(app), &Rules::num_groups);
    if (rules == all->second.end()) return {};
    auto entries = rules->others;
    for (auto& [place, by_symbol] : rules->anchored) {
        auto arg = at(world, app, place);
        if (arg && arg->is_unstable()) arg = world.refresh(arg);
        auto found = arg ? by_symbol.find(symbol(arg)) : by_symbol.end();
        if (found != by_symbol.end()) entries.insert(entries.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(entries, {}, &Entry::number);
    std::vector<RewriteRule*> res;
    for (auto& entry : entries) res.push_back(entry.rule);
    return res;
}

} // namespace mim
