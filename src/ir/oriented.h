// SPDX-License-Identifier: MIT
// Private to src/ir: a comparison seen from the side that has the placeholder.
#pragma once
#include "ir/unifier.h"

namespace mim {

/// A placeholder may be on either side of a comparison. `a` is the side that has it; this knows which one that is.
class Unifier::Oriented {
public:
    Oriented(Unifier& unifier, bool swapped)
        : unifier_(unifier)
        , swapped_(swapped) {}

    bool unify(const Def* a, const Def* b) const { return swapped_ ? unifier_.unify(b, a) : unifier_.unify(a, b); }
    /// A binder of a's side is entered.
    void push(const Def* var) const { unifier_.pairing_.push(swapped_ ? nullptr : var, swapped_ ? var : nullptr); }
    bool binds(const Def* var) const {
        auto& pairing = unifier_.pairing_;
        return swapped_ ? pairing.binds_right(var) : pairing.binds_left(var);
    }
    /// Of b's side.
    const Def* partner(const Def* var) const {
        auto& pairing = unifier_.pairing_;
        return swapped_ ? pairing.left_of(var) : pairing.right_of(var);
    }

private:
    Unifier& unifier_;
    bool swapped_;
};

} // namespace mim
