// SPDX-License-Identifier: MIT
// Inputs that stand for programs of the generator of test/agree: they are well typed, or have one mistake, and use what texts of a corpus seldom have.
#pragma once
#include <string>

#include "gen.h"

namespace fuzz {

/// The text of an input: an input whose first byte is 1 or 2 is choices of the generator, after 2 the program is changed in one place; any other one is
/// a text.
std::string text_of(const std::string& input, const agree::GenOptions&);

} // namespace fuzz
