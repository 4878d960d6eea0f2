// SPDX-License-Identifier: MIT
// The function that others call.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ir/world.h"

namespace mim::plug::ainf {

/// Of the sizes, and of the arguments behind them that have one.
using Names = std::vector<std::string_view>;

/// Calls the program, whose values are of this type, by `%ainf.call`. It takes the token, the sizes, and the leaves of the
/// arguments: numbers by value, arrays by a pointer. One number as a result is returned, all else is stored where the last
/// arguments point. The names are those in a header: `x`, or `x_1`, `x_2` for parts, and `out` for results.
Lam* called_of(World&, const Lam* program, const Def* type, const std::string& signature, const Names&);

} // namespace mim::plug::ainf
