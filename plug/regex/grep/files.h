// SPDX-License-Identifier: MIT
// Searching many files.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "grep/grep.h"

namespace mim::plug::regex {

struct FileResult {
    GrepOutput output;
    bool found = false;  ///< a line was selected
    std::string trouble; ///< why it could not be searched; empty if it was
};

/// Searches one file, `-` for standard input, which is shown under its name without the first `hidden` characters.
FileResult search_file(const Regex&, const std::string& path, size_t hidden, const GrepStyle&);

/// Searches these files, several at a time, each on a processor of its own, and gives their results to `take` in the
/// order of the files, on this thread. Ends when `take` returns false.
void search_files(const Regex&, const std::vector<std::string>& paths, size_t hidden, const GrepStyle&,
                  const std::function<bool(size_t index, FileResult)>& take);

} // namespace mim::plug::regex
