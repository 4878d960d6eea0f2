// SPDX-License-Identifier: MIT
// A command that a plugin adds to `mim`: what the command line may have, and what the function gets that runs it. `mim
// NAME …` opens the plugin's library, and nothing else; `mim --help` knows the command from the plugin's manifest.
#pragma once
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace mim {

/// An option of a command. Each command has `--help`, `--plugin-dir` and `--color` besides.
struct CommandOption {
    std::string name;       ///< with its dashes: `--line-number`
    std::string short_name; ///< with its dash: `-n`; empty: none
    std::string value;      ///< what stands for the value in `--help`; empty: a flag
    std::string summary;
};

struct CommandSpec {
    static constexpr unsigned any = 255;

    std::string name;
    std::string operands; ///< for `--help`: `PATTERN [FILE…]`
    std::string summary;
    std::vector<CommandOption> options = {};
    unsigned min_operands              = 0;
    unsigned max_operands              = any;
    std::string status                 = {}; ///< what its exit statuses mean, for `--help`; empty: those of Mim's own commands
    int failure = 1; ///< its exit status when output is lost, memory is short or the stack overflows: 1 or 2
};

/// An option of a command line, in the order in which they stand there.
struct GivenOption {
    std::string name; ///< the long one
    std::string value;
};

/// The request of a command line, and the means to answer it.
class CommandContext {
public:
    CommandContext(std::vector<std::string> operands, std::vector<GivenOption> given, std::vector<std::string> plugin_dirs,
                   bool is_colored)
        : operands_(std::move(operands))
        , given_(std::move(given))
        , plugin_dirs_(std::move(plugin_dirs))
        , is_colored_(is_colored) {}

    const std::vector<std::string>& operands() const { return operands_; }
    /// Whether the option of this long name is given.
    bool has(std::string_view option) const;
    /// The values of all options of this long name, in order.
    std::vector<std::string> values(std::string_view option) const;
    /// Of these options the one that is given last; empty if none is.
    std::string_view last_of(std::initializer_list<std::string_view> options) const;
    /// The folders of --plugin-dir.
    const std::vector<std::string>& plugin_dirs() const { return plugin_dirs_; }
    /// Whether standard output gets colors.
    bool is_colored() const { return is_colored_; }

    /// Writes to standard output. If that fails, an exception ends the command, and Mim says why.
    void print(std::string_view text) const;
    /// Writes to standard error.
    void error(std::string_view text) const;

private:
    std::vector<std::string> operands_;
    std::vector<GivenOption> given_;
    std::vector<std::string> plugin_dirs_;
    bool is_colored_;
};

/// Runs the command; the exit status. It runs on the big stack. An exception that is neither std::bad_alloc nor
/// std::system_error is a fault of the plugin.
using CommandFunction = std::function<int(CommandContext&)>;

} // namespace mim
