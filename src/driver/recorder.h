// SPDX-License-Identifier: MIT
// Records what a plugin registers that belongs in its manifest, and finds what is wrong with that: names that cannot be
// written, the same twice, an option that Mim has itself. Phases that join extension points are recorded as well: what is stated of their order
// is complete when the plugin has registered everything.
#pragma once
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "driver/command.h"
#include "driver/join.h"
#include "driver/manifest.h"
#include "phase/settings.h"

namespace mim {

class Recorder {
public:
    explicit Recorder(std::string plugin) { manifest.plugin = std::move(plugin); }

    void with_default_pipeline() { manifest.with_default_pipeline = true; }
    void phase(std::string_view name, std::string_view summary, bool has_function);
    void front_end(std::string_view extension, bool has_function);
    void formatter(std::string_view extension, bool has_function);
    void back_end(std::string_view name, std::string_view suffix, std::string_view summary, bool has_function);
    void operator_call(std::string_view op, std::string_view call);
    void option(std::string_view key, const SettingValue&, std::string_view summary);
    void command(const CommandSpec&, bool has_function);
    void library(const RuntimeLibrary&);
    void extension_point(std::string_view name, std::string_view summary);
    /// The result stays where it is.
    Join& join(std::string_view point, std::string_view phase);
    /// Checks `joins`, once the plugin has registered everything.
    void check_joins();
    Manifest manifest;
    std::deque<Join> joins;          ///< not part of the manifest
    std::vector<std::string> faults; ///< each the end of `fault of the plugin `x`: `

private:
    void fault(std::string what) { faults.push_back(std::move(what)); }
    /// Texts are fields of a line; false after a fault.
    bool are_texts(const std::string& hook, std::initializer_list<std::string_view> texts);
    void command_option(const CommandSpec&, const CommandOption&);
    void check_order(const Join&, const char* relation, const std::vector<std::string>& phases);

    std::vector<std::string> phases_; ///< that were registered, whether rightly or not
};

} // namespace mim
