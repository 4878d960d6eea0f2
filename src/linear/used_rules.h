// SPDX-License-Identifier: MIT
// The rewrite rules for axioms of a program. The right sides of those that may be applied to values of any type, or to
// functions, are functions of the program: they run where the axiom is called.
#pragma once
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/def_set.h"
#include "linear/facts.h"
#include "linear/rules.h"

namespace mim::linear {

class UsedRules {
public:
    UsedRules(World& world, Facts& facts)
        : world_(world)
        , facts_(facts) {}

    /// Adds the functions of rules for the axioms that are in the program, and what these mention.
    void connect();
    /// The functions of rules for an axiom.
    std::vector<const Lam*> functions(const Axiom&) const;
    /// Of all axioms.
    std::vector<const Lam*> functions() const;
    /// The functions of rules for axioms that no unknown function is.
    LamSet uncalled() const;
    /// Adds that the patterns on the left sides of rules are compared with the argument of this call of an axiom.
    void add_instances(const App*, std::vector<TokenTypes::Instance>&) const;

private:
    std::unordered_set<const Axiom*> axioms_as_values() const;

    World& world_;
    Facts& facts_;
    std::unordered_map<const Axiom*, std::vector<RuleFunction>> rules_;
};

} // namespace mim::linear
