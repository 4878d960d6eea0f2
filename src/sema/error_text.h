// SPDX-License-Identifier: MIT
#pragma once
#include <string>

#include "ir/error.h"
#include "ir/world.h"

namespace mim {

/// The message of an error of the graph, its expressions printed as the user would write them.
std::string message_of(World&, const Error&);

} // namespace mim
