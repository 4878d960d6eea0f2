// SPDX-License-Identifier: MIT
// Violations that a node shows by itself, whatever paths lead to it: tokens that would be hidden (ir/token_types.h),
// pass through what takes none, or are used in filters.
#pragma once
#include <unordered_set>
#include <vector>

#include "ir/token_types.h"
#include "linear/facts.h"
#include "linear/reports.h"

namespace mim::linear {

class NodeCheck {
public:
    /// With `by_phases`, the program is not as it was written: filters may refer to effects that nobody asks for any more.
    NodeCheck(World& world, TokenTypes& types, Facts& facts, Reports& reports, bool by_phases)
        : world_(world)
        , types_(types)
        , facts_(facts)
        , reports_(reports)
        , by_phases_(by_phases) {}

    void run(const Def*);
    /// The value becomes one of this type. Each token is named once.
    void assigned(const Def* at, const Def* type, const Def* value);

private:
    void token_free(const App*);
    void filter(const Lam*);
    bool happens_around(const Lam*, const Def*);
    void report(const Def* at, Diag, std::vector<Error::Arg>);

    World& world_;
    TokenTypes& types_;
    Facts& facts_;
    Reports& reports_;
    bool by_phases_;
    std::unordered_set<const Def*> hidden_; ///< tokens that violations name already
};

} // namespace mim::linear
