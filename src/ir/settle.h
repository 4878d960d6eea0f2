// SPDX-License-Identifier: MIT
// Types of what a function is built of, once placeholders in them are filled. Refreshing rebuilds nodes that have placeholders, but a variable
// stays as it is, and with it what its type says of its parts.
#pragma once
#include <span>

#include "ir/def.h"

namespace mim {

/// For functions whose domains had a placeholder while their bodies were built, and whose types are known now.
void settle_types(World&, std::span<Lam* const>);

} // namespace mim
