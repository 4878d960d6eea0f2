// SPDX-License-Identifier: MIT
// Functions that keep memory of their own for each activation (Axiom::Activation). They must stay functions: as a part of another
// function, or as a loop, they would share that memory between activations that live at the same time.
#pragma once
#include <unordered_set>

#include "analysis/snapshot.h"

namespace mim::opt {

/// The λs around such operations, from the innermost out.
std::unordered_set<const Lam*> frames(World&, const Snapshot&);

} // namespace mim::opt
