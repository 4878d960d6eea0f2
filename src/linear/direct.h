// SPDX-License-Identifier: MIT
// Calls in direct style: no path leads from them to the rest of their λ. See direct.cpp for the judgement.
#pragma once
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ir/def_set.h"
#include "ir/world.h"

namespace mim::linear {

class Check;
struct Fn;

/// Where control goes at the end of a λ, or if a call in direct style leaves.
struct End {
    std::vector<const Lam*> callees, returns;
    bool knows_callees = true;      ///< these are all that may be called
    const App* holder  = nullptr;   ///< the call, if it gets functions inside of aggregates
    std::vector<const Lam*> passed; ///< as values
    std::vector<const Def*> passed_others;
    std::vector<const Lam*> last;        ///< what the call returns to, if it does
    std::vector<const Def*> params;      ///< continuations that are called, or returned to; null: one from somewhere else
    std::vector<const Def*> last_params; ///< as `last`, if that is a parameter
    std::vector<const Def*> others;      ///< functions that are not known and come back through what they get
};

class DirectCalls {
public:
    explicit DirectCalls(Check& check)
        : check_(check) {}

    /// Finds, for each λ, the calls that it makes (Fn::direct_calls): those among the operands of which they are, with no λ between. None in
    /// programs where all of them come back exactly once.
    void find(std::span<const Def* const> nodes);
    /// Where control goes if the call leaves.
    const End& end(const App*);
    /// Reports a call of the λ that may leave, or come back again, while a token waits beside it.
    void check(const Fn&);

private:
    bool is_direct_call(const App*);
    bool is_source(const App*);
    void keep_makers(const App*, std::vector<Fn*>& around);
    bool may_leave(const App*);
    std::optional<Diag> fault(const App*);
    DefSet made_from(const Def*);
    void leaves(const Def* token, std::vector<const Def*>& res);
    std::vector<const Def*> first_tokens(const Fn&);
    const Def* token_beside(const Fn&, const App* call);

    Check& check_;
    std::unordered_map<const App*, End> ends_;
    std::unordered_map<const App*, std::optional<Diag>> faults_;
};

} // namespace mim::linear
