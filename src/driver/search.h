// SPDX-License-Identifier: MIT
// Where files are looked for. Plugins: the folders given with -P, then those of MIM_PLUGIN_PATH, then the installation, which is
// found relative to the library itself, so an installed tree can be moved. Never the current folder by itself.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace mim {

/// The folder with the plugins that came with this library.
std::string installed_plugin_dir();

class SearchPath {
public:
    /// `extra`: the folders of -P, in order.
    explicit SearchPath(const std::vector<std::string>& extra);

    const std::vector<std::string>& dirs() const { return dirs_; }
    /// NAME.mim as DIR/NAME.mim or DIR/NAME/NAME.mim in the first folder that has it; empty if none has.
    std::string plugin(std::string_view name) const;
    /// The file of an import, next to the importing file or in the search path; empty if there is none.
    /// Files of a plugin may lie in the folder of its name beside NAME.mim; `plugin` is empty for the program's files.
    std::string import(std::string_view importing_file, std::string_view plugin, std::string_view path, bool quoted) const;
    /// For messages: the folders with commas between.
    std::string text() const;

private:
    std::vector<std::string> dirs_;
};

bool is_file(const std::string& path);
/// Whether both paths name one regular file, however they are spelled: links of both kinds are followed, `-` is standard input.
bool is_same_file(const std::string& a, const std::string& b);
/// The folder of a path; `.` if it has none.
std::string dir_of(std::string_view path);
/// Of a file's name, what is behind the last dot; empty if there is none, or nothing before it.
std::string extension_of(std::string_view path);
/// The same of a file that is not Mim by its name; empty for one that is, or that has none.
std::string other_extension_of(std::string_view path);
/// The library of a plugin, which lies beside its declarations; empty if there is none.
std::string library_beside(const std::string& declarations, std::string_view plugin);
/// The file name without folder and `.mim`.
std::string stem_of(std::string_view path);
/// Reads all of a file, or of standard input for `-`. False with errno's text in `error`.
bool read_file(const std::string& path, std::string& text, std::string& error);

} // namespace mim
