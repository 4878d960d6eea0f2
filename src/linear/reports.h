// SPDX-License-Identifier: MIT
// The violations that one check of tokens found, and which of them the user gets to see.
#pragma once
#include <set>
#include <utility>
#include <vector>

#include "ir/violation.h"
#include "ir/world.h"

namespace mim::linear {

class Reports {
public:
    explicit Reports(World& world)
        : world_(world) {}

    void add(Violation violation) { violations_.push_back(std::move(violation)); }
    bool empty() const { return violations_.empty(); }
    /// Whether no continuation in this function that captures the token was reported: what follows a call captures what
    /// its end does.
    bool is_first(const Lam* lam, const Def* token);
    /// Drops those that only follow from others, in functions with both.
    void drop_consequences();
    const std::vector<Violation>& all() const { return violations_; }
    /// Drops those of which this holds.
    template<class F>
    void drop(F is_such) {
        std::erase_if(violations_, is_such);
    }
    /// All that are there; leaves none.
    std::vector<Violation> take() { return std::exchange(violations_, {}); }

private:
    World& world_;
    std::vector<Violation> violations_;
    std::set<std::pair<const Lam*, const Def*>> reported_; ///< by outermost function
};

} // namespace mim::linear
