// SPDX-License-Identifier: MIT
// A phase turns the World's externals into better ones. The manager (phase/manager.h) owns the instruments around each.
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "analysis/snapshot.h"
#include "diag/diag.h"
#include "ir/world.h"
#include "phase/settings.h"

namespace mim {

struct PhaseContext {
    World& world;
    Diagnostics& diags;

    /// The program that the phase gets. Phases that change nothing hand it on.
    const Snapshot& program() {
        if (!snapshot || !snapshot->is_current(world)) snapshot.emplace(world);
        return *snapshot;
    }
    std::optional<Snapshot> snapshot = {};
    /// The options of plugins, as `--set` or their defaults say.
    const Settings& settings = Settings::none();
    /// How many nodes `specialize` may still make in all its rounds; set by its first.
    std::optional<uint64_t> copies_left = {};
};

struct Phase {
    std::string name, summary;
    std::function<void(PhaseContext&)> run;
    bool hides =
        false; ///< from a debugger: functions or parameters that the text has are gone afterwards. `-g -O0` does without if it can
};

} // namespace mim
