// SPDX-License-Identifier: MIT
#include "linear/used_rules.h"

namespace mim::linear {

void UsedRules::connect() {
    std::unordered_map<const Axiom*, std::vector<const RewriteRule*>> rules;
    for (auto& rule : world_.rules.all())
        if (may_matter(*rule)) rules[&head_axiom(rule->lhs)->axiom()].push_back(rule.get());
    if (rules.empty()) return;
    for (size_t i = 0; i < facts_.nodes().size(); ++i) { // right sides mention more
        auto axm   = facts_.nodes()[i]->isa<Axm>();
        auto found = axm ? rules.find(&axm->axiom()) : rules.end();
        if (found == rules.end()) continue;
        for (auto rule : found->second) {
            auto function = rule_function(world_, *rule);
            if (!function) continue;
            facts_.connect({function->lams.data(), 1});
            rules_[found->first].push_back(std::move(*function));
        }
    }
}

void UsedRules::add_instances(const App* app, std::vector<TokenTypes::Instance>& instances) const {
    auto found = rules_.find(&head_axiom(app)->axiom());
    if (found == rules_.end()) return;
    size_t group = 0;
    for (auto callee = app->callee(); callee->isa<App>(); callee = callee->as<App>()->callee()) ++group;
    for (auto& rule : found->second) {
        if (group >= rule.patterns.size()) continue;
        instances.push_back({rule.patterns[group], app->arg(), TokenTypes::Instance::Rule});
    }
}

LamSet UsedRules::uncalled() const {
    LamSet res;
    if (rules_.empty()) return res;
    auto values = axioms_as_values();
    for (auto& [head, rules] : rules_)
        for (auto& rule : rules)
            for (auto lam : rule.lams)
                if (!values.contains(head)) res.insert(lam);
    return res;
}

std::vector<const Lam*> UsedRules::functions(const Axiom& head) const {
    std::vector<const Lam*> res;
    auto found = rules_.find(&head);
    if (found == rules_.end()) return res;
    for (auto& rule : found->second) res.insert(res.end(), rule.lams.begin(), rule.lams.end());
    return res;
}

std::vector<const Lam*> UsedRules::functions() const {
    std::vector<const Lam*> res;
    for (auto& [head, rules] : rules_)
        for (auto& rule : rules) res.insert(res.end(), rule.lams.begin(), rule.lams.end());
    return res;
}

/// The axioms that somebody gets as a value before they have all arguments.
std::unordered_set<const Axiom*> UsedRules::axioms_as_values() const {
    std::unordered_set<const Axiom*> res;
    for (auto user : facts_.nodes()) {
        auto app = user->isa<App>();
        for (auto op : value_ops(user)) {
            bool is_function = op && !is_static(op) && op->type()->isa<Pi>();
            if (!is_function || (app && app->callee() == op)) continue;
            if (auto axm = head_axiom(op)) res.insert(&axm->axiom());
        }
    }
    return res;
}

} // namespace mim::linear
