// SPDX-License-Identifier: MIT
// The manifests of all plugins on a search path: who has a command, reads an extension, makes an output.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/manifest.h"

namespace mim {

/// A manifest that cannot be used.
struct BadManifest {
    std::string path, plugin;
    std::string problem; ///< Diag::bad_manifest's last argument
};

class Manifests {
public:
    /// Reads them. Of two plugins with one name, the one counts that is found first, as everywhere.
    explicit Manifests(const std::vector<std::string>& dirs);

    const std::vector<Manifest>& all() const { return all_; }
    const std::vector<BadManifest>& bad() const { return bad_; }

    /// The plugins that have this command, extension, or output: more than one is an error where it is asked for.
    std::vector<const Manifest*> with_command(std::string_view name) const;
    std::vector<const Manifest*> with_extension(std::string_view extension) const;
    std::vector<const Manifest*> with_output(std::string_view name) const;
    /// The call that a plugin offers in place of an operator, the first one if there are several; empty if none does.
    std::string call_for(std::string_view op) const;
    /// The first plugin that offers a call in place of an operator; empty if none does.
    std::string plugin_with_call(std::string_view op) const;
    /// Null if no plugin with a library has this name.
    const Manifest* plugin(std::string_view name) const;

private:
    std::vector<Manifest> all_; ///< sorted by the names of plugins
    std::vector<BadManifest> bad_;
};

} // namespace mim
