// SPDX-License-Identifier: MIT
// `mim NAME …` where a plugin has the command NAME. Its library is opened, and nothing else is read.
#include <csignal>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "driver/commands.h"
#include "driver/installed.h"
#include "driver/search.h"
#include "phase/crash.h"

namespace mim {

namespace {

int fault(const PluginCommand& command, std::string what) {
    print_error("mim: error: " + message(Diag::plugin_fault, {command.plugin, "the command `" + command.spec.name + "` " + what})
                + "\n");
    return kInternal;
}

/// The library says what its manifest said, or it is not used.
std::optional<CommandFunction> find_function(const PluginCommand& command, std::string& problem) {
    auto library     = library_beside(command.manifest, command.plugin);
    auto description = describe_plugin(library, problem);
    if (!description) {
        problem = message(Diag::plugin_library, {command.plugin, problem});
        return {};
    }
    if (auto wrong = manifest_problem(library, description->manifest); !wrong.empty()) {
        problem = message(Diag::bad_manifest, {command.manifest, command.plugin, wrong});
        return {};
    }
    auto found = description->manifest.command(command.spec.name);
    return description->commands[static_cast<size_t>(found - description->manifest.commands.data())];
}

} // namespace

int cmd_plugin(const Options& o) {
    auto& command = *o.plugin_command;
    std::string problem;
    auto function = find_function(command, problem);
    if (!function) return print_error("mim: error: " + problem + "\n"), command.spec.failure;
    CommandContext context(o.files, command.given, o.plugin_dirs, is_colored(o.color, 1));
    int status = 0;
    int signal = 0;
    try {
        signal = guarded([&] { status = (*function)(context); });
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::system_error&) {
        throw;
    } catch (const std::exception& e) {
        return fault(command, std::string("failed: ") + e.what());
    }
    return signal == 0 ? status : fault(command, std::string("crashed: ") + ::strsignal(signal));
}

} // namespace mim
