// SPDX-License-Identifier: MIT
// What `mim grep` does with one text: which of its lines have a match, and how they are shown.
#pragma once
#include <string>
#include <string_view>

#include "regex/host/regex.h"

namespace mim::plug::regex {

struct GrepStyle {
    bool invert = false, numbers = false, offsets = false, only_matching = false, color = false;
    bool count = false, names_of_matching = false, names_of_others = false, quiet = false; ///< instead of lines
    bool with_name    = false;                                                             ///< before each line
    bool is_text      = false;                                                             ///< whatever its bytes are
    bool is_text_only = false;                                                             ///< binary files have no lines
    size_t before = 0, after = 0;          ///< lines around each that is selected, which are shown, too
    size_t most = static_cast<size_t>(-1); ///< lines of a text that are selected
};

struct GrepOutput {
    std::string lines;       ///< what is to be shown
    std::string message;     ///< for standard error
    bool has_groups = false; ///< lines stand with those around them: `between_groups` stands between them and others
};

/// The line between lines that are not next to each other, where those around each are shown.
std::string between_groups(const GrepStyle&);

/// Searches a text, called `name`. Whether a line was selected; what is to be shown is appended.
bool grep(const Regex&, std::string_view text, std::string_view name, const GrepStyle&, GrepOutput&);

} // namespace mim::plug::regex
