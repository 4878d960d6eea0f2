// SPDX-License-Identifier: MIT
// Sets of nodes.
#pragma once
#include "base/ordered_set.h"
#include "ir/def.h"

namespace mim {

struct IdHash {
    size_t operator()(const Def* def) const { return def ? def->id() : 0; }
};

using DefSet = OrderedSet<const Def*, IdHash>;
using LamSet = OrderedSet<const Lam*, IdHash>;

} // namespace mim
