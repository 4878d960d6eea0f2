// SPDX-License-Identifier: MIT
// Programs with one mistake: the checker refuses such a mutant, or all modes agree on it. The structure of the tree stays, so that a mutant shrinks
// as a program does.
#pragma once
#include <string>

#include "gen.h"

namespace agree {

/// Changes the program in one place; what was done, or nothing if this change has no place in it.
std::string mutate(Tree& program, Random&, const GenOptions&);

} // namespace agree
