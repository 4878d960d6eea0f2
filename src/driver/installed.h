// SPDX-License-Identifier: MIT
// The plugins of a folder, asked without a program: for `mim doctor` and `mim explain`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diag/declared.h"

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

/// The diagnostics that a plugin registers; none if its library cannot be used.
std::vector<PluginDiag> diagnostics_of(const InstalledPlugin&);

} // namespace mim
