// SPDX-License-Identifier: MIT
#include "driver/installed.h"

#include <algorithm>
#include <exception>

#include <dirent.h>
#include <dlfcn.h>

#include "driver/library.h"
#include "driver/plugin.h"
#include "driver/search.h"

namespace mim {

namespace {

/// Keeps the diagnostics that a plugin registers, and nothing else.
class Collector : public PluginBuilder {
public:
    void normalizer(std::string_view, Normalizer) override {}
    AxiomBuilder axiom(std::string_view) override { return AxiomBuilder({}); }
    void phase(std::string_view, std::string_view, std::function<void(PhaseContext&)>, bool) override {}
    void join(std::string_view, std::string_view) override {}
    void front_end(std::string_view, FrontEnd) override {}
    void back_end(std::string_view, std::string_view, std::string_view, BackEnd) override {}
    void diagnostics(std::span<const PluginDiag> all) override { found.insert(found.end(), all.begin(), all.end()); }

    std::vector<PluginDiag> found;
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
    auto handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (!handle) return problem = ::dlerror(), nullptr;
    auto info  = static_cast<const PluginInfo*>(::dlsym(handle, "mim_plugin"));
    bool fresh = info && std::string_view(info->stamp) == MIM_STAMP;
    if (fresh) return info;
    problem = info ? "was built for Mim " + std::string(info->stamp) : "exports no `mim_plugin`";
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
        bool is_folder_of = !is_file_of && !name.starts_with('.') && is_file(dir + "/" + name + "/" + name + ".mim");
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

std::vector<PluginDiag> diagnostics_of(const InstalledPlugin& plugin) {
    std::string problem;
    auto info = plugin.library.empty() ? nullptr : open_plugin(plugin.library, problem);
    if (!info) return {};
    Collector collector;
    try {
        info->init(collector);
    } catch (const std::exception&) {
        return {}; // a session that loads it reports this
    }
    return collector.found;
}

} // namespace mim
