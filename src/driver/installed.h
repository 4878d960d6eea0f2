// SPDX-License-Identifier: MIT
// The plugins of a folder, asked without a program: for `mim doctor`, `mim explain`, manifests and commands.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/declared.h"
#include "driver/command.h"
#include "driver/ends.h"
#include "driver/manifest.h"

namespace mim {

struct InstalledPlugin {
    std::string name;
    std::string library; ///< the path of libmim_NAME.so; empty if the plugin has none
};

/// The plugins in a folder, sorted by their names.
std::vector<InstalledPlugin> installed_plugins(const std::string& dir);
/// Likewise, in all folders of a search path; of two plugins with one name, the one that is found first.
std::vector<InstalledPlugin> installed_plugins(const std::vector<std::string>& dirs);

/// The reason why the library of a plugin cannot be used; empty if it can, or if the plugin has none.
std::string library_problem(const InstalledPlugin&);
/// Likewise, what is wrong with its manifest: `PATH is missing …`.
std::string manifest_problem(const InstalledPlugin&);

/// The diagnostics that a plugin registers; none if its library cannot be used.
std::vector<PluginDiag> diagnostics_of(const InstalledPlugin&);

/// The registrations of a library that are known without a program.
struct Description {
    Manifest manifest;
    std::vector<std::string> faults; ///< what is wrong with it: Diag::plugin_fault's last argument
    std::vector<PluginDiag> diagnostics;
    std::vector<CommandFunction> commands;                    ///< of `manifest.commands`
    std::map<std::string, Formatter, std::less<>> formatters; ///< by extension
};
/// Opens the library; nothing, with the reason in `problem`, if it cannot be used.
std::optional<Description> describe_plugin(const std::string& library, std::string& problem);

} // namespace mim
