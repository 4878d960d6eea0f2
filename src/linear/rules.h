// SPDX-License-Identifier: MIT
// Rewrite rules as functions, for the check of tokens (tokens.h): the right side of a rule takes what its pattern variables stand for.
#pragma once
#include <optional>
#include <vector>

#include "ir/world.h"

namespace mim::linear {

/// `rule {T: *} (x: T): %p.f x => e` as `λ (T: *). λ (x: T). e`. It has no callers: it is entered where `%p.f` may be rewritten.
struct RuleFunction {
    std::vector<const Lam*> lams; ///< the outermost first: a group for each variable that types depend on, and one for all others
    std::vector<const Def*> patterns; ///< the arguments on the left side, of the first group first
};

/// Whether values of any type, or functions, may be what the rule is applied to, or what it makes. A `norm` has been applied to the
/// functions that are there.
bool may_matter(const RewriteRule&);

/// Null if the rule rewrites a type, or does not matter.
std::optional<RuleFunction> rule_function(World&, const RewriteRule&);

} // namespace mim::linear
