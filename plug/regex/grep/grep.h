// SPDX-License-Identifier: MIT
// What `mim grep` does with one text: which of its lines have a match, and how they are shown.
#pragma once
#include <string>
#include <string_view>

#include "regex/host/regex.h"

namespace mim::plug::regex {

struct GrepStyle {
    bool invert = false, numbers = false, only_matching = false, color = false;
    bool count = false, names_of_matching = false, quiet = false; ///< instead of lines
    bool with_name = false;                                       ///< before each line
};

/// Searches a text, called `name`. Whether a line was selected; what is to be shown is appended to `out`.
bool grep(const Regex&, std::string_view text, std::string_view name, const GrepStyle&, std::string& out);

} // namespace mim::plug::regex
