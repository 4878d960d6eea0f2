// SPDX-License-Identifier: MIT
// The reach of a strategy: so far below a term it looks to decide what it does there, in levels of `Below`. A result of
// reach 1 is the same for each term that differs from this one two levels below, or deeper.
#pragma once
#include <algorithm>
#include <cstddef>

#include "ir/rule.h"
#include "ir/world.h"

namespace mim::plug::elevate {

class Reach {
public:
    constexpr explicit Reach(size_t levels)
        : levels_(levels) {}
    /// All of the term.
    static constexpr Reach all() { return Reach(kAll); }

    bool is_all() const { return levels_ == kAll; }
    size_t levels() const { return levels_; }
    /// The reach, seen from so many levels further up.
    Reach from(Reach above) const { return is_all() || above.is_all() ? all() : Reach(levels_ + above.levels_); }
    Reach with(Reach other) const { return Reach(std::max(levels_, other.levels_)); }

private:
    static constexpr size_t kAll = ~size_t(0);
    size_t levels_;
};

/// Of a rule of the program.
struct RuleReach {
    Reach fails = Reach::all(); ///< whether it applies
    /// A part below the root of the result was at most so much further below the term.
    Reach moves = Reach::all();
};
RuleReach reach_of(World&, const RewriteRule&);

} // namespace mim::plug::elevate
