// SPDX-License-Identifier: MIT
// Whether code that an axiom calls may end otherwise than by its return: by a continuation from outside, which it
// mentions itself, or which a function value knows that it may call. The axiom waits for a result, so nobody could go
// on then.
#pragma once
#include <optional>

#include "analysis/program.h"
#include "analysis/snapshot.h"
#include "base/worklist.h"

namespace mim::plug::clos {

class Leaving {
public:
    Leaving(World& world, Program& program, const Snapshot& snapshot)
        : world_(world)
        , program_(program)
        , snapshot_(snapshot) {}

    bool may_leave(const Lam* code) { return knows_continuation(code) || values_may_leave(); }
    /// Some function does that is used as a value.
    bool values_may_leave();

private:
    bool knows_continuation(const Lam*);
    bool mentions_continuation(const Def* function, Worklist<const Def*>& next);
    bool is_continuation(const Def*);

    World& world_;
    Program& program_;
    const Snapshot& snapshot_;
    std::optional<bool> values_may_leave_;
};

} // namespace mim::plug::clos
