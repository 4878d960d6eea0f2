// SPDX-License-Identifier: MIT
// The files that a repository leaves out (gitignore(5)).
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mim::plug::regex {

/// Whether a path fits a pattern of gitignore: parts between slashes as the shell matches names, `**` any number of
/// parts. Both without a slash at either end.
bool fits_path(std::string_view pattern, std::string_view path);

/// The `.gitignore` files of a folder, of those in it on the way to what is asked for, and of those around it up to
/// the root of the repository. Files beyond them, as `.git/info/exclude`, are not read.
class Ignored {
public:
    /// Those that hold in the folder where a search begins: its own and those around it. All paths are canonical.
    explicit Ignored(const std::filesystem::path& folder);
    /// Goes into a folder of the one before, and back.
    void enter(const std::filesystem::path& folder);
    void leave();
    /// Whether this entry of the folder that was entered last is left out. A folder that is left out takes all
    /// its entries with it: nobody asks for these.
    bool contains(const std::filesystem::path& entry, bool is_folder) const;

private:
    struct Rule {
        std::string pattern;
        bool is_for_folders, is_exception;
        bool is_path; ///< from the folder of the file that has it; else the name of an entry in whatever depth
    };
    struct File {
        std::filesystem::path folder;
        std::vector<Rule> rules;
    };
    static Rule rule(std::string_view line);
    static File read(const std::filesystem::path& folder);

    std::vector<File> files_; ///< outermost first
};

} // namespace mim::plug::regex
