// SPDX-License-Identifier: MIT
// The graph as text for debugging: what is there, node by node. Nothing reads it back; the printer that writes Mim is sema's.
#pragma once
#include <string>

#include "ir/violation.h"
#include "ir/world.h"

namespace mim {

/// One line a node, operands first: `#id = Kind operands : type`, from everything that def reaches, types included.
std::string dump(World&, const Def* def);
/// All externals.
std::string dump(World&);
/// One short expression; what is nested deeper than a few levels shows as `#id`.
std::string brief(World&, const Def* def);

} // namespace mim
