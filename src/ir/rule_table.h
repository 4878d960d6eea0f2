// SPDX-License-Identifier: MIT
// The rewrite rules of a program (spec, "Rewrite rules").
#pragma once
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ir/def.h"
#include "ir/rule.h"
#include "ir/rule_conditions.h"
#include "ir/rule_index.h"

namespace mim {

class RuleTable {
public:
    explicit RuleTable(World& world)
        : world_(world)
        , conditions_(world) {}

    /// Throws Diag::bad_rule if its left side is no applied axiom, or does not mention each variable that is no parameter.
    void add(RewriteRule);
    /// In order of declaration.
    const std::vector<std::unique_ptr<RewriteRule>>& all() const { return rules_; }
    /// Those that fire on request and have this name, in order of declaration.
    std::vector<const RewriteRule*> on_request(std::string_view name) const;
    /// What a rule makes of this expression, of whose type it is, where its parameters have these values. Null if it does not apply; then `why`, if
    /// it is given, says so. Throws as `apply` does.
    const Def* fire_at(const RewriteRule&, const Def* at, Defs params, Mismatch* why = nullptr);
    /// The type of a parameter; null if it depends on other variables.
    const Def* param_type(const RewriteRule&, size_t i) const;
    /// Those that rewrite types, or values with types in them.
    const std::vector<const RewriteRule*>& of_types() const { return type_rules_; }
    /// A rule without a condition that is tried before this one, which is not added yet, and matches each of its
    /// instances; null if there is none.
    const RewriteRule* hides(const RewriteRule&) const;
    /// Whether some rule has this axiom at the head of its left side.
    bool has(const Axiom*) const;
    /// Whether some `norm` has.
    bool has_eager(const Axiom*) const;
    bool has_eager() const { return !eager_.empty(); }
    RuleConditions& conditions() { return conditions_; }
    /// Rewrites the result of a rule further while that rule counts as firing.
    using Result = std::function<const Def*(const Def*)>;
    /// The right side of the first rule that fires at app, as `go_on` (if any) rewrites it further, else null.
    /// Throws Diag::endless_rule if rules go on firing in the results of each other.
    const Def* apply(const Def* app, bool eager_only, const Result& go_on = {});

private:
    /// Rules that are firing, each in the result of the one before, and what they rewrite.
    struct Firing {
        const RewriteRule* rule;
        const Def* app;
    };
    void check(const RewriteRule&) const;
    const Def* lost_token(const RewriteRule&, const Def* args) const;
    const Def* fire(const RewriteRule&, const Def* app, const Def* args, const Result& go_on);
    [[noreturn]] void fail_endless();

    World& world_;
    std::vector<std::unique_ptr<RewriteRule>> rules_;
    std::vector<const RewriteRule*> type_rules_;
    RuleIndex eager_, index_;
    RuleConditions conditions_;
    std::unordered_set<const Axiom*> requested_; ///< at the heads of rules that fire on request
    std::vector<Firing> firings_;
};

} // namespace mim
