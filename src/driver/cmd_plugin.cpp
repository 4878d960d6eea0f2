// SPDX-License-Identifier: MIT
// `mim NAME …` where a plugin has the command NAME. Its library is opened, and nothing else is read.
#include <csignal>
#include <cstring>
#include <system_error>

#include "base/crash.h"
#include "diag/fault_text.h"
#include "driver/commands.h"
#include "driver/installed.h"
#include "driver/search.h"

namespace mim {

namespace {

int fault(const PluginCommand& command, std::string what) {
    SourceManager none;
    auto text = "the command `" + command.spec.name + "` " + what;
    print_error(render_text(none, {Diag::plugin_fault, Severity::Error, {}, {command.plugin, text}, {}}, false));
    return kInternal;
}

int overflow(const PluginCommand& command, const Crash& crash) {
    print_error("mim: error: " + message(Diag::too_deep, {}) + " [" + std::string(info(Diag::too_deep).code)
                + "]\nmim: note: " + message(Diag::code_of, {crash.culprit.text()}) + "\n");
    return command.spec.failure;
}

/// The library says what its manifest said, or it is not used.
std::optional<CommandFunction> find_function(const PluginCommand& command, std::string& problem) {
    auto library     = library_beside(command.manifest, command.plugin);
    auto description = describe_plugin(library, problem);
    if (!description) {
        problem = message(Diag::plugin_library, {command.plugin, problem});
        return {};
    }
    for (auto& fault : description->faults)
        problem += (problem.empty() ? "" : "\nmim: error: ") + message(Diag::plugin_fault, {command.plugin, fault});
    if (!problem.empty()) return {};
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
    auto run   = [&] {
        Blame blame(command.plugin, "the command", command.spec.name);
        status = (*function)(context);
    };
    try {
        auto crash     = guarded(run, Guards::Overflows);
        bool is_status = status >= 0 && status <= 255; // the system keeps 8 bits
        if (!crash && !is_status) return fault(command, "returned the status " + std::to_string(status));
        if (!crash) return status;
        return crash->is_overflow ? overflow(command, *crash)
                                  : fault(command, std::string("crashed: ") + ::strsignal(crash->signal));
    } catch (const std::system_error&) {
        throw;
    } catch (...) {
        return fault(command, "failed: " + fault_text(nullptr));
    }
}

} // namespace mim
