// SPDX-License-Identifier: MIT
#include "ir/rule_conditions.h"

#include <algorithm>

#include "ir/impl.h"
#include "ir/rule_match.h"

namespace mim {

const Def* RuleConditions::of(const RewriteRule& rule, Defs values, const Def* args) {
    constexpr size_t most = 1 << 20;
    auto key              = key_of(rule, values);
    if (!key) return evaluated(rule, args);
    auto known = known_.find({&rule, key});
    if (known != known_.end()) return known->second;
    auto result = evaluated(rule, args);
    if (known_.size() == most) known_.clear();
    known_.emplace(Key{&rule, key}, result);
    return result;
}

const Def* RuleConditions::evaluated(const RewriteRule& rule, const Def* args) {
    return world_.subst(rule.when, rule.binder->var(), args);
}

/// The values of the variables that the condition mentions. Null if one is open: a function in it may get its body
/// later.
const Def* RuleConditions::key_of(const RewriteRule& rule, Defs values) {
    std::vector<const Def*> asked;
    for (auto i : variables_of(rule, values.size())) asked.push_back(values[i]);
    auto is_open = [](const Def* value) { return value->has(Def::HasDep) || value->is_mut() || value->is_unstable(); };
    return std::ranges::any_of(asked, is_open) ? nullptr : world_.tuple(asked);
}

const std::vector<uint32_t>& RuleConditions::variables_of(const RewriteRule& rule, size_t num_vars) {
    auto [at, is_new] = variables_.try_emplace(&rule);
    auto& result      = at->second;
    if (!is_new) return result;
    auto var = rule.binder->var();
    for (uint32_t i = 0; i != num_vars; ++i) {
        auto leaf = num_vars == 1 ? var : world_.extract(var, i);
        if (occurs_in(leaf, var, rule.when)) result.push_back(i);
    }
    return result;
}

} // namespace mim
