// SPDX-License-Identifier: MIT
// The function that the host starts.
#pragma once
#include <string>

#include "ir/world.h"

namespace mim::plug::cli {

/// The number of sizes that a program takes.
size_t num_sizes(const Lam* program);
/// The text as an array of bytes.
const Def* text_of(World&, const std::string&);

/// `axiom (program, signature)` for the arguments of the command line, as the function `main`.
Lam* main_of(World&, const Lam* program, const std::string& signature, const Def* axiom);

} // namespace mim::plug::cli
