// SPDX-License-Identifier: MIT
// The function that others call.
#pragma once
#include <string>

#include "ir/world.h"

namespace mim::plug::ainf {

/// Calls the program, whose values are of this type, by `%ainf.call`. It takes the token, the sizes, and the leaves of the
/// arguments: numbers by value, arrays by a pointer. One number as a result is returned, all else is stored where the last
/// arguments point.
Lam* called_of(World&, const Lam* program, const Def* type, const std::string& signature);

} // namespace mim::plug::ainf
