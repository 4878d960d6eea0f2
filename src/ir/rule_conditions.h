// SPDX-License-Identifier: MIT
// The conditions of rewrite rules for given values. A rule is tried wherever its left side matches, so the same few
// values, as the constant in `x + n` where `n` is 0, are asked for again and again.
#pragma once
#include <unordered_map>
#include <vector>

#include "ir/rule.h"

namespace mim {

class RuleConditions {
public:
    explicit RuleConditions(World& world)
        : world_(world) {}

    /// The condition of the rule, which has one, with these values for its variables; `args` is the tuple of all of
    /// them.
    const Def* of(const RewriteRule&, Defs values, const Def* args);
    /// New rules may make another value of the same condition.
    void clear() { known_.clear(); }

private:
    struct Key {
        const RewriteRule* rule;
        const Def* values;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        size_t operator()(const Key& key) const { return std::hash<const void*>()(key.rule) ^ (key.values->hash() * size_t(31)); }
    };
    const Def* key_of(const RewriteRule&, Defs values);
    const std::vector<uint32_t>& variables_of(const RewriteRule&, size_t num_vars);
    const Def* evaluated(const RewriteRule&, const Def* args);

    World& world_;
    std::unordered_map<const RewriteRule*, std::vector<uint32_t>> variables_;
    std::unordered_map<Key, const Def*, Hash> known_;
};

} // namespace mim
