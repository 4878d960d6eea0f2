// SPDX-License-Identifier: MIT
// The order of the phases at one extension point. It depends on the plugins that are loaded, never on the order in which they were.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "driver/join.h"

namespace mim {

/// Of a plugin, those that its declarations name.
using BuildsOn = std::map<std::string, std::set<std::string>>;

/// Phases that cannot be put in order: each is to run before the next one, and the last one before the first.
struct OrderCycle {
    struct Statement {
        std::string first, second; ///< phases
        std::string plugin;        ///< which states it, of its own phase
        bool is_before;            ///< stated of `first`, else of `second`
    };
    std::vector<Statement> statements;

    std::string text() const; ///< "`a.x` → `b.y` → `a.x`"
};

struct PhaseOrder {
    std::vector<std::string> phases; ///< nothing if there is a cycle
    std::vector<OrderCycle> cycles;  ///< one for each group of phases that are in cycles, a shortest one
};

/// Statements come first. Where they leave a choice, phases run before those of the plugins that theirs builds on; then, those
/// of one plugin in the order of their registration; then, plugins in the order of their names.
PhaseOrder order_phases(std::vector<Join>, const BuildsOn&);

} // namespace mim
