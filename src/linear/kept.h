// SPDX-License-Identifier: MIT
// Tokens that functions leave alone on the way to what they return to. If a function and what it returns to capture the
// same token, or tokens that are made from the same one, the function leaves it alone on the way there, and consumes it
// when it leaves elsewhere. It does so, too, with a token of a function that is gone by then. Whether all calls and all
// paths of the function hold to that is checked with the paths of each λ.
#pragma once
#include <span>
#include <unordered_map>

#include "linear/effects.h"
#include "linear/forgets.h"
#include "linear/summaries.h"

namespace mim::linear {

class KeptTokens {
public:
    KeptTokens(World& world, Facts& facts, Summaries& summaries, SharedEffects& effects, Forgetting& forgetting)
        : world_(world)
        , facts_(facts)
        , summaries_(summaries)
        , effects_(effects)
        , forgetting_(forgetting) {}

    /// Finds them, once the ends of all λs are known.
    void find();
    /// Whether calling this parameter leaves the token to the continuation that it stands for: so do the calls of the
    /// function.
    bool keeps(const Def* param, const Def* token) const {
        auto it = kept_.find(param);
        return it != kept_.end() && it->second.contains(token);
    }
    bool keeps_any(const Def* param) const { return kept_.contains(param); }
    /// Whether a call of this function gets another one, as a value, which consumes the token instead of it when it leaves.
    bool is_shared(const Lam* lam, const Def* token) const {
        auto it = shared_.find(lam);
        return it != shared_.end() && it->second.contains(token);
    }
    /// Whether `passed` captures tokens, all of which `callee`, which gets it, captures as well: then nobody tells which of the two
    /// consumes them.
    bool shares_all(const Lam* callee, const Lam* passed) const;

private:
    /// These say whether something new was found.
    bool keep(const Fn& callee, const Def* exit, const Def* token);
    bool keep_as_for(const Fn& callee, const Def* exit, const Def* param);
    bool keep_for(const Fn& callee, const Def* exit, std::span<const Lam* const> lams, std::span<const Def* const> params);
    bool keep_for_exits(const App*);
    void share(const Lam* passed, const App*);

    World& world_;
    Facts& facts_;
    Summaries& summaries_;
    SharedEffects& effects_;
    Forgetting& forgetting_;
    /// By last parameter of a function that captures them, or another one through which control leaves: the tokens that what it stands
    /// for captures as well.
    std::unordered_map<const Def*, DefSet> kept_;
    std::unordered_map<const Lam*, DefSet> shared_;
};

} // namespace mim::linear
