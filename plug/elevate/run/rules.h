// SPDX-License-Identifier: MIT
// The rules that a strategy asks for by name, with what it gives them.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/world.h"
#include "reach.h"
#include "terms.h"

namespace mim::plug::elevate {

struct RuleCall {
    std::string name; ///< with the parameters: `splitJoin(32)`
    std::vector<const RewriteRule*> rules;
    DefVec params;
    std::vector<RuleReach> reaches; ///< of each rule
};

class Rules {
public:
    Rules(World& world, const Words& words)
        : w_(world)
        , words_(words) {}

    /// Throws Error if there is no such rule, or if it takes other parameters.
    const RuleCall& find(const Def* strategy);
    /// Looks at all rules that a strategy names, before it runs.
    void check(const Def* strategy);

private:
    std::vector<const RewriteRule*> named(const std::string& name) const;
    [[noreturn]] void fail_unknown(const std::string& name) const;
    void check_params(const std::string& name, const RewriteRule&, const DefVec& params) const;

    std::string in_words(const Def* def) const { return term_text(w_, def, words_); }

    World& w_;
    const Words& words_;
    std::unordered_map<const Def*, RuleCall> calls_;
};

} // namespace mim::plug::elevate
