// SPDX-License-Identifier: MIT
// The command line of `mim`. Commands and options are one table each, from which parsing, --help and the reference page of the
// options (`mim help --markdown`) derive. Written by hand: a general library would cost more start-up time than checking a small file.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command.h"
#include "phase/settings.h"
#include "sema/reflect.h"

namespace mim {

struct Manifest;
class Manifests;

/// `OfPlugin` is any command that a plugin has; it is not in the table.
enum class Command : uint8_t { Run, Build, Check, Fmt, Doc, Bootstrap, NewPlugin, Doctor, Explain, Help, OfPlugin };

struct CommandInfo {
    Command id;
    std::string_view name, operands, summary;
    uint8_t min_operands; ///< more than `max_operands` are an error
    uint8_t max_operands; ///< 255: any number
};
std::span<const CommandInfo> commands();
const CommandInfo& info(Command);

enum class Emit : uint8_t { Exe, Obj, Shared, Asm, Bc, Ll, Mim, Dot, Header };

struct EmitInfo {
    Emit id;
    std::string_view name, suffix, summary;
};
std::span<const EmitInfo> emits();

enum class Color : uint8_t { Auto, Always, Never };

/// A command of a plugin, and what the command line has for it.
struct PluginCommand {
    std::string plugin;
    std::string manifest; ///< the path of its manifest, which lies beside the library
    CommandSpec spec;
    std::vector<GivenOption> given;
};

/// What was asked for; the defaults are here.
struct Options {
    Command command = Command::Help;
    std::vector<std::string> files; ///< the operands
    std::vector<std::string> args;  ///< run: what follows FILE, for the program

    std::string output; ///< empty: the command's default
    std::vector<Emit> emit;
    std::vector<std::string> plugin_emit; ///< names of outputs that are not Mim's own
    int opt_level = 2;
    std::string target, cpu; ///< empty: the host
    bool debug_info = false, checked = false;
    bool eval           = false; ///< run: by the reference evaluator
    bool no_normalizers = false; ///< run --eval: on the graph as it is without those of plugins
    unsigned jobs       = 1;

    std::vector<std::string> plugins, plugin_dirs;
    std::string pipeline;
    std::string print_after, start_at, stop_after;
    NamesOf names    = NamesOf::Graph; ///< in printed programs
    bool verify_each = false, time = false, stats = false;
    std::string trace;
    uint64_t budget     = 0; ///< 0: the evaluator's default
    uint64_t max_stack  = 0; ///< MiB; 0: the default
    uint64_t max_memory = 0; ///< MiB of nodes; 0: the graph's default

    size_t max_errors = 20;
    bool werror = false, json = false, verbose = false;
    Color color = Color::Auto;

    std::vector<SettingText> settings;           ///< of --set
    std::optional<PluginCommand> plugin_command; ///< where the command is OfPlugin

    bool check    = false; ///< fmt: only tell
    bool fix      = false; ///< fmt: rewrite calls to operators
    bool markdown = false; ///< help, explain: as a page

    /// The command line as it was given, for reproducers.
    std::string command_line;
};

struct OptionInfo {
    std::string_view name;       ///< with its dashes
    std::string_view short_name; ///< with its dash; empty: none
    std::string_view value;      ///< what stands in --help for the value; empty: a flag
    std::string_view summary;
    uint32_t commands; ///< bit i: command i has it
    /// Puts the value in; what was expected instead if it is wrong.
    std::optional<std::string> (*set)(Options&, std::string_view value);

    bool is_of(Command c) const { return commands >> static_cast<unsigned>(c) & 1; }
};
std::span<const OptionInfo> options();

/// As messages show what somebody wrote: in backticks.
inline std::string ticked(std::string_view text) { return "`" + std::string(text) + "`"; }

struct ParsedCommandLine {
    Options options;
    std::string error;             ///< not empty: wrong usage
    bool help             = false; ///< --help: of the command, or of all if it is Help
    bool version          = false;
    bool print_plugin_dir = false;
};
ParsedCommandLine parse_command_line(int argc, const char* const* argv);

/// The text of --help, for one command or (Help) for all.
std::string help_text(Command);
/// The same for a command of a plugin.
std::string help_text(const CommandSpec&);
/// The text of `mim help PLUGIN`: all that the plugin adds.
std::string help_text(const Manifest&);
/// The commands of plugins, for the text of all.
std::string help_text(const Manifests&);
/// Commands and options as a page of the documentation.
std::string help_markdown();

} // namespace mim
