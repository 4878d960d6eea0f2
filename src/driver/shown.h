// SPDX-License-Identifier: MIT
// Expressions in texts that plugins write, as diagnostics show them.
#pragma once
#include <string>

namespace mim {

class Def;
class World;

/// As the user would write it, without implicit arguments, cut off where it is long.
std::string shown(World&, const Def*);

} // namespace mim
