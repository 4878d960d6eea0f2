// SPDX-License-Identifier: MIT
// One check of tokens (see tokens.h): its parts, of which each answers questions about one subject, and the order in
// which they find what they know. Parts that need only few of the others get these; the rest get the check.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "linear/direct.h"
#include "linear/effects.h"
#include "linear/ended.h"
#include "linear/facts.h"
#include "linear/forgets.h"
#include "linear/given_types.h"
#include "linear/kept.h"
#include "linear/leaving.h"
#include "linear/needs.h"
#include "linear/repeats.h"
#include "linear/reports.h"
#include "linear/returns.h"
#include "linear/summaries.h"
#include "linear/untracked.h"
#include "linear/used_rules.h"

namespace mim::linear {

/// The state of a program: as it was written, or inlined, so that a function may hold what it leaves to (see forgets.h). Between phases,
/// functions that may be right are not reported: see `drop_carried`.
enum class Program : uint8_t { Written, Inlined, BetweenPhases };

class Check {
public:
    Check(World& world, Program program)
        : world(world)
        , program_(program) {}
    Check(const Check&)            = delete; // the parts refer to it
    Check& operator=(const Check&) = delete;

    std::vector<Violation> run(std::span<const Lam* const> roots);
    /// Whether phases have put functions in place of their calls.
    bool is_inlined() const { return program_ != Program::Written; }
    /// Whether the question is what a phase did, so that only what is wrong in any case is reported.
    bool is_between_phases() const { return program_ == Program::BetweenPhases; }

    World& world;
    TokenTypes types{world};
    Facts facts{world, types};
    UsedRules rules{world, facts};
    GivenTypes given_types{*this, facts.nodes()};
    Needs needs{world};
    EndedTokens ended{*this};
    Summaries summaries{*this};
    SharedEffects effects{world, types, facts, summaries};
    DirectCalls direct{*this, facts.nodes()};
    Repeats repeats{*this, facts.lams(), facts.nodes()}; ///< which calls may come back more than once
    Returns returns{*this};
    Leaving leaving{*this};
    Untracked untracked{*this};
    Forgetting forgetting{*this};
    KeptTokens kept{world, facts, summaries, effects, forgetting};
    Reports reports{world};

private:
    bool collect(std::span<const Lam* const> roots);
    void instantiate();
    void check_nodes();
    void summarize(std::span<const Lam* const> roots);
    void check_functions();
    void check_tokenless_calls();
    bool has_suspended_effects();

    Program program_;
};

} // namespace mim::linear
