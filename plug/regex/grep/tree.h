// SPDX-License-Identifier: MIT
// The files that a search in folders is about.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace mim::plug::regex {

/// Chooses files by their names without folders: globs as the shell writes them.
struct FileChoice {
    std::vector<std::string> included; ///< all, if there are none
    std::vector<std::string> excluded;
    bool without_ignored = false; ///< none that a `.gitignore` names

    bool takes(const std::string& path) const;
};

/// All regular files in a folder and the folders in it, in the order of their paths; links are not followed. What
/// cannot be read is told to `complain`, with the reason.
std::vector<std::string> files_in(const std::string& folder, const FileChoice& choice,
                                  const std::function<void(const std::string& path, const std::string& why)>& complain);

} // namespace mim::plug::regex
