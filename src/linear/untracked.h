// SPDX-License-Identifier: MIT
// Functions that go where `Returns::targets` does not follow: into a union or another aggregate, into memory, to a
// function that nobody knows. Whoever gets a function of the same type from there may have got one of them.
#pragma once
#include <optional>
#include <unordered_map>

#include "base/worklist.h"
#include "ir/def_set.h"
#include "ir/world.h"

namespace mim::linear {

class Check;

class Untracked {
public:
    explicit Untracked(Check& check)
        : check_(check) {}

    /// Whether one of them that leads out (Leaving::leads_out) may be a value of this type, or be in one. Asked once it
    /// is known where functions leave.
    bool may_hold_exit(const Def* type);
    /// Whether calling the λ leads out, or calls a function that nobody knows and that may be one of these.
    bool may_lead_out(const Lam*);

private:
    void find();
    void visit(const Def* node);
    void visit_arms(const Match*);
    void visit_result(const Lam*);
    void visit_call(const App*);
    void follow(const Def* value);
    void add(const Def* value);

    bool calls_exit(const Lam*);

    Check& check_;
    std::optional<DefSet> types_; ///< of those that lead out, once somebody asks
    Worklist<const Def*> values_;
    std::unordered_map<const Lam*, bool> leading_; ///< the answers so far
    LamSet next_groups_;                           ///< λs that only wait for the next group of arguments of one that is called
};

} // namespace mim::linear
