// SPDX-License-Identifier: MIT
// `mim fmt --fix`: calls that operators make as well, rewritten in the text.
#pragma once
#include <optional>
#include <string>

#include "driver/options.h"

namespace mim {

/// The text of this file with `a + b` in place of `%core.nat.add (a, b)` and the like, where that means the same; its layout is not
/// canonical. Nothing if the program has errors, which are shown then.
std::optional<std::string> with_operators(const Options&, const std::string& path, const std::string& text);

} // namespace mim
