// SPDX-License-Identifier: MIT
// Derivatives inside of a function that is differentiated in reverse mode. One by reverse mode, of a function that stays
// a function, has a pullback that another function returns, which reverse mode does not follow. It stays the operation
// `%autodiff.accumulate` until the derivative around it is made. The derivatives of that operation go by forward mode, where
// all functions return plain values: `d_accumulate` in autodiff.mim, and `change_of_accumulate`.
#pragma once
#include <unordered_set>

#include "autodiff.h"

namespace mim::plug::autodiff {

class Nested {
public:
    /// Nothing is inside of anything.
    Nested() = default;
    explicit Nested(const Snapshot& program);
    /// `is_nested`: all of it is inside of another derivative.
    Nested(const Def* root, bool is_nested);

    bool contains(const Def* derivative) const { return found_.contains(derivative); }

private:
    void enter(DefVec work);

    std::unordered_set<const Def*> visited_, found_;
};

/// Whether some function, which stays one, returns a pullback to this expression, or to a function that it refers to.
bool keeps_pullbacks(World&, const Def* root);

/// Whether it is `%autodiff.lift_with (%autodiff.accumulate …) g`, or an application of that.
bool is_lifted_derivative(const Def* operation);

/// How `%autodiff.lift_with (%autodiff.accumulate …) g x` changes with x in the direction v. It is no `norm`: one on `%autodiff.jvp` would
/// hand functions that are differentiated in one mode to the other, and the check of tokens tells no two calls of an axiom apart.
const Def* change_of_accumulate(World&, const Def* operation, const Def* x, const Def* v);

} // namespace mim::plug::autodiff
