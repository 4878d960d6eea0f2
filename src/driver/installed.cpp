// SPDX-License-Identifier: MIT
#include "driver/installed.h"

#include <algorithm>
#include <exception>
#include <span>

#include <dirent.h>
#include <dlfcn.h>

#include "base/blame.h"
#include "base/crash.h"
#include "diag/fault_text.h"
#include "driver/library.h"
#include "driver/plugin.h"
#include "driver/recorder.h"
#include "driver/search.h"

namespace mim {

namespace {

/// Keeps what a plugin registers that has a meaning without a program.
class Collector : public PluginBuilder {
public:
    Collector(std::string plugin, std::string folder)
        : recorder(std::move(plugin))
        , folder_(std::move(folder)) {}

    void normalizer(std::string_view, Normalizer) override {}
    AxiomBuilder axiom(std::string_view) override { return AxiomBuilder({}); }
    void phase(std::string_view name, std::string_view summary, std::function<void(PhaseContext&)> run, bool) override {
        recorder.phase(name, summary, static_cast<bool>(run));
    }
    JoinBuilder join(std::string_view point, std::string_view phase) override { return JoinBuilder(recorder.join(point, phase)); }
    void extension_point(std::string_view name, std::string_view summary) override { recorder.extension_point(name, summary); }
    void with_default_pipeline() override { recorder.with_default_pipeline(); }
    void front_end(std::string_view extension, FrontEnd read) override { recorder.front_end(extension, static_cast<bool>(read)); }
    void formatter(std::string_view extension, Formatter format) override {
        recorder.formatter(extension, static_cast<bool>(format));
        formatters.emplace(extension, std::move(format));
    }
    void back_end(std::string_view name, std::string_view suffix, std::string_view summary, BackEnd make) override {
        recorder.back_end(name, suffix, summary, static_cast<bool>(make));
    }
    void library(RuntimeLibrary library) override { recorder.library(library); }
    void collector(CollectorRuntime runtime) override { recorder.library(runtime.library); }
    std::string folder() const override { return folder_; }
    void operator_call(std::string_view op, std::string_view call) override { recorder.operator_call(op, call); }
    void option(std::string_view key, SettingValue value, std::string_view summary) override {
        recorder.option(key, value, summary);
    }
    void command(const CommandSpec& spec, CommandFunction function) override {
        auto number = recorder.manifest.commands.size();
        recorder.command(spec, static_cast<bool>(function));
        if (recorder.manifest.commands.size() != number) commands.push_back(std::move(function));
    }
    void diagnostics(std::span<const PluginDiag> all) override { found.insert(found.end(), all.begin(), all.end()); }

    Recorder recorder;
    std::vector<CommandFunction> commands;
    std::map<std::string, Formatter, std::less<>> formatters;
    std::vector<PluginDiag> found;

private:
    std::string folder_;
};

std::string library_in(const std::string& dir, const std::string& name) {
    auto file = "/libmim_" + name + ".so";
    for (auto& path : {dir + file, dir + "/" + name + file})
        if (is_file(path)) return path;
    return {};
}

/// What the library exports as `mim_plugin`; null, with the reason in `problem`, if it cannot be used.
const PluginInfo* open_plugin(const std::string& library, std::string& problem) {
    if (is_cut_off(library)) return problem = "the file is cut off", nullptr;
    auto handle = open_library_of(plugin_of_library(library), library, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return problem = ::dlerror(), nullptr;
    auto info = static_cast<const PluginInfo*>(::dlsym(handle, "mim_plugin"));
    std::string stamp;
    auto read  = [&] { stamp = info->stamp; };
    bool is_it = info && !guarded(read);
    if (stamp == MIM_STAMP) return info;
    if (!info) problem = "exports no `mim_plugin`";
    else problem = is_it ? "was built for Mim " + stamp : "its `mim_plugin` is not what `MIM_PLUGIN` makes";
    ::dlclose(handle);
    return nullptr;
}

} // namespace

std::vector<InstalledPlugin> installed_plugins(const std::string& dir) {
    std::vector<InstalledPlugin> plugins;
    auto handle = ::opendir(dir.c_str());
    if (!handle) return plugins;
    while (auto entry = ::readdir(handle)) {
        std::string name = entry->d_name;
        bool is_file_of  = name.ends_with(".mim") && name.size() > 4;
        if (is_file_of) name.resize(name.size() - 4);
        bool may_be_folder = !is_file_of && entry->d_type != DT_REG && !name.starts_with('.');
        bool is_folder_of  = may_be_folder && is_file(dir + "/" + name + "/" + name + ".mim");
        if (is_file_of || is_folder_of) plugins.push_back({name, library_in(dir, name)});
    }
    ::closedir(handle);
    std::ranges::sort(plugins, {}, &InstalledPlugin::name);
    return plugins;
}

std::vector<InstalledPlugin> installed_plugins(const std::vector<std::string>& dirs) {
    std::vector<InstalledPlugin> all;
    for (auto& dir : dirs)
        for (auto& plugin : installed_plugins(dir)) {
            bool is_new = std::ranges::find(all, plugin.name, &InstalledPlugin::name) == all.end();
            if (is_new) all.push_back(std::move(plugin));
        }
    std::ranges::sort(all, {}, &InstalledPlugin::name);
    return all;
}

std::string library_problem(const InstalledPlugin& plugin) {
    std::string problem;
    if (!plugin.library.empty()) open_plugin(plugin.library, problem);
    return problem;
}

static std::string faults_text(const std::string& plugin, const std::vector<std::string>& faults) {
    auto text = message(Diag::plugin_fault, {plugin, faults.front()});
    for (auto& fault : std::span(faults).subspan(1)) text += "; " + fault;
    return text;
}

std::string manifest_problem(const InstalledPlugin& plugin) {
    std::string problem;
    auto description = plugin.library.empty() ? std::nullopt : describe_plugin(plugin.library, problem);
    if (description && !description->faults.empty()) return faults_text(plugin.name, description->faults);
    if (description) problem = manifest_problem(plugin.library, std::move(description->manifest));
    return problem.empty() ? problem : manifest_path(plugin.library, plugin.name) + " " + problem;
}

std::optional<Description> describe_plugin(const std::string& library, std::string& problem) {
    auto info = open_plugin(library, problem);
    if (!info) return {};
    Collector collector(info->name, data_folder(library, info->name));
    auto& recorder = collector.recorder;
    auto init      = [&] {
        Blame blame(info->name, "the function", "init");
        info->init(collector);
    };
    try {
        if (auto crash = guarded(init))
            recorder.faults = {"the function `init` crashed with signal " + std::to_string(crash->signal)};
    } catch (...) {
        recorder.faults = {"the function `init` failed: " + fault_text(nullptr)};
    }
    recorder.check_joins();
    return Description{std::move(recorder.manifest), std::move(recorder.faults), std::move(collector.found),
                       std::move(collector.commands), std::move(collector.formatters)};
}

std::vector<PluginDiag> diagnostics_of(const InstalledPlugin& plugin) {
    std::string problem;
    auto description = plugin.library.empty() ? std::nullopt : describe_plugin(plugin.library, problem);
    if (description) return std::move(description->diagnostics);
    return {}; // a session that loads it reports why
}

} // namespace mim
