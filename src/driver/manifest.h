// SPDX-License-Identifier: MIT
// The manifest of a plugin, `NAME.plugin` beside its library, lists all that the plugin adds to Mim: so commands, file
// extensions and outputs are found without opening any library. `mim bootstrap libmim_NAME.so` makes the file when the
// plugin is built. A library whose manifest says something else is refused, so what was read from the file is true of
// the plugin.
//
// The file has a record in each line, with tabs between its fields; `to_text` is the list of them.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command.h"
#include "ir/axiom.h"

namespace mim {

struct Manifest {
    struct Output {
        std::string name, suffix, summary;
    };
    struct ExtensionPoint {
        std::string name, summary;
    };
    struct Operator {
        std::string text, call;
    };
    struct Option {
        std::string key;
        std::string kind;  ///< SettingValue::kind
        std::string value; ///< the default
        std::string summary;
    };

    std::string plugin;
    std::string path;                    ///< of the file; not part of it
    bool with_default_pipeline = false;  ///< whoever loads the default pipeline loads the plugin
    std::vector<std::string> extensions; ///< without the dot
    std::vector<std::string> formatters; ///< those of `extensions` that `mim fmt` can lay out
    std::vector<Output> outputs;
    std::vector<ExtensionPoint> extension_points;
    std::vector<Operator> operators;
    std::vector<Option> options;
    std::vector<CommandSpec> commands;
    std::vector<RuntimeLibrary> libraries;
    std::vector<std::string> files; ///< what lies in the folder of the plugin's data; the library does not know it

    const CommandSpec* command(std::string_view name) const;
    const Option* option(std::string_view key) const;
    bool has_extension_point(std::string_view name) const;
};

/// The problem of a manifest that differs from its library.
inline constexpr std::string_view kStale = "is not that of the library beside it: `mim bootstrap` makes it anew";

/// The file.
std::string to_text(const Manifest&);
/// Reads the file back; nothing if it is damaged, with the reason in `problem`.
std::optional<Manifest> parse_manifest(std::string_view text, std::string& problem);

/// `NAME.plugin` beside the library `libmim_NAME.so` or the file `NAME.mim`.
std::string manifest_path(const std::string& beside, std::string_view plugin);
/// The problem of the manifest beside a library that registers `recorded`: `is not that of …`; empty if there is none.
std::string manifest_problem(const std::string& library, Manifest recorded);
/// The files below the folder of the plugin's data, sorted.
std::vector<std::string> data_files(const std::string& library, std::string_view plugin);
/// The folder of the plugin's data: NAME beside the library.
std::string data_folder(const std::string& beside, std::string_view plugin);
/// Reads the manifest of a plugin. Nothing, with the reason in `problem`, if it is missing, damaged, or that of another
/// plugin.
std::optional<Manifest> read_manifest(const std::string& path, std::string_view plugin, std::string& problem);

} // namespace mim
