// SPDX-License-Identifier: MIT
// A phase at an extension point of a pipeline, as a plugin stated it; driver/order.h makes an order of them.
#pragma once
#include <string>
#include <vector>

#include "base/span.h"

namespace mim {

struct Join {
    std::string point, phase;
    std::string plugin;                     ///< which joins it
    std::vector<std::string> before, after; ///< phases that it runs before, or after
    Span at = {};                           ///< where the program asks for the plugin, if it does
};

} // namespace mim
