// SPDX-License-Identifier: MIT
// The types of a program's arguments and of its result, as cli/runtime/program.h has them.
#pragma once
#include <string>

#include "types.h"

namespace mim::plug::rise {

/// `why` says what cannot come from outside or go there, if anything.
std::string signature_of(const Definition&, Types&, std::string& why);

} // namespace mim::plug::rise
