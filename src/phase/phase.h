// SPDX-License-Identifier: MIT
// A phase turns the World's externals into better ones. The manager (phase/manager.h) owns the instruments around each.
#pragma once
#include <functional>
#include <string>

#include "diag/diag.h"
#include "ir/world.h"

namespace mim {

struct PhaseContext {
    World& world;
    Diagnostics& diags;
};

struct Phase {
    std::string name, summary;
    std::function<void(PhaseContext&)> run;
};

} // namespace mim
