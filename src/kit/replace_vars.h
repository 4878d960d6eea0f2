// SPDX-License-Identifier: MIT
// Replaces variables, all at once: one after the other, what is below many binders would be copied once for each of them.
#pragma once
#include <unordered_map>
#include <unordered_set>

#include "ir/rewrite.h"

namespace mim {

class ReplaceVars : public Rewriter {
public:
    using Values = std::unordered_map<const Def*, const Def*>;

    /// `rewrite` makes terms where these variables have these values.
    ReplaceVars(World&, const Values&);

protected:
    /// One variable more. What was rewritten until now must not mention it.
    void replace(const Def* var, const Def* value);
    bool is_replaced(const Def* var) const { return replaced_.contains(var); }

    bool needs(const Def*) override;
    const Def* rewrite_mut(const Def*) override;

private:
    std::unordered_set<const Def*> replaced_;
};

} // namespace mim
