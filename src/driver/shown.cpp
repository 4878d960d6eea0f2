// SPDX-License-Identifier: MIT
#include "driver/shown.h"

#include "sema/reflect.h"

namespace mim {

std::string shown(World& world, const Def* def) { return show(world, def); }

} // namespace mim
