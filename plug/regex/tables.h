// SPDX-License-Identifier: MIT
#pragma once
#include <functional>

#include "ir/world.h"

namespace mim::plug::regex {

/// n numbers of so many bits, as a constant.
const Def* array(World&, size_t n, unsigned bits, const std::function<uint64_t(size_t)>& elem);

} // namespace mim::plug::regex
