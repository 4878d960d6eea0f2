// SPDX-License-Identifier: MIT
// A World with the axioms of %core.
#pragma once
#include "core/annexes.h"
#include "unit/plugin_world.h"

namespace mim::plug::core::test {

using unit::evaluate;

struct Core : unit::PluginWorld {
    Core();

    const Def* mem; ///< the type %mem.M

    const Def* size(unsigned __int128 n) { return n >> 64 ? w.lit_2_64() : w.lit_nat(static_cast<uint64_t>(n)); }

private:
    void add_integers();
};

} // namespace mim::plug::core::test
