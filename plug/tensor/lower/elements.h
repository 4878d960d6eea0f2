// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include "ir/world.h"

namespace mim::plug::tensor {

/// An array of a known rank, as a function of the index.
struct Elements {
    DefVec shape;
    const Def* type; ///< of an element
    std::function<const Def*(Defs index)> at;
};

} // namespace mim::plug::tensor
