// SPDX-License-Identifier: MIT
// A short text of an expression for whoever has neither its World nor the names in it: what Error::what() says.
// Diagnostics show the expression in full (sema/reflect.h).
#pragma once
#include <string>

namespace mim {

class Def;

/// Mim text of at most some sixty bytes; `…` stands for what is too long or too deep, and for what only the text gives
/// a name.
std::string brief(const Def*);

} // namespace mim
