// SPDX-License-Identifier: MIT
// Values that are known while compiling: literals, closed functions, types, and tuples of such.
#pragma once
#include <cstdint>

#include "ir/def.h"

namespace mim {

enum class Known : uint8_t {
    No,   ///< it is kept from evaluation
    Yes,  ///< whatever is evaluated or substituted now
    Open, ///< variables are free in it, it is a computation, or something is still to be inferred
};

/// Whether this expression is such a value. `is_kept`: what is kept from evaluation, on whatever depth; null: nothing is.
Known known(World&, const Def*, bool (*is_kept)(const Def*) = nullptr);

} // namespace mim
