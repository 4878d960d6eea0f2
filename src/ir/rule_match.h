// SPDX-License-Identifier: MIT
// Whether an application is an instance of a rule's left side (spec, "Rewrite rules").
#pragma once
#include "ir/rule.h"

namespace mim {

/// The pattern variables of a rule: the elements of its domain, which may be none.
size_t num_vars(World&, const RewriteRule&);

/// Whether the element `leaf` of `var` occurs, alone or with the whole of it.
bool occurs_in(const Def* leaf, const Def* var, const Def* root);

/// The values of the pattern variables in this application, as one tuple; null if the rule does not apply, or its
/// condition is not known to hold. `params`: the values of its parameters. `why`, if it is given, gets the reason.
const Def* match_rule(World&, const RewriteRule&, const Def* app, Defs params = {}, Mismatch* why = nullptr);

} // namespace mim
