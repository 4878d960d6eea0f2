// SPDX-License-Identifier: MIT
#pragma once
#include "regex/host/tree.h"

namespace mim::plug::regex {

/// The pattern that a text is, with its groups; throws Error, which tells where the text is wrong, or that it has more
/// parts than that.
const Pattern& parse_text(Trees&, std::string text, uint64_t max_parts = max_nodes);

} // namespace mim::plug::regex
