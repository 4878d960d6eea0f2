// SPDX-License-Identifier: MIT
#include "driver/manifests.h"

#include <algorithm>

#include "driver/installed.h"

namespace mim {

Manifests::Manifests(const std::vector<std::string>& dirs) {
    for (auto& plugin : installed_plugins(dirs)) {
        if (plugin.library.empty()) continue;
        std::string problem;
        auto path = manifest_path(plugin.library, plugin.name);
        if (auto manifest = read_manifest(path, plugin.name, problem)) all_.push_back(std::move(*manifest));
        else bad_.push_back({path, plugin.name, problem});
    }
}

template<class Has>
static std::vector<const Manifest*> filter(const std::vector<Manifest>& all, Has has) {
    std::vector<const Manifest*> found;
    for (auto& manifest : all)
        if (has(manifest)) found.push_back(&manifest);
    return found;
}

std::vector<const Manifest*> Manifests::with_command(std::string_view name) const {
    return filter(all_, [&](auto& m) { return m.command(name); });
}

std::vector<const Manifest*> Manifests::with_extension(std::string_view extension) const {
    return filter(all_, [&](auto& m) { return std::ranges::find(m.extensions, extension) != m.extensions.end(); });
}

std::vector<const Manifest*> Manifests::with_output(std::string_view name) const {
    return filter(all_, [&](auto& m) { return std::ranges::find(m.outputs, name, &Manifest::Output::name) != m.outputs.end(); });
}

static const Manifest::Operator* find_operator(const Manifest& manifest, std::string_view op) {
    auto found = std::ranges::find(manifest.operators, op, &Manifest::Operator::text);
    return found == manifest.operators.end() ? nullptr : &*found;
}

std::string Manifests::call_for(std::string_view op) const {
    for (auto& manifest : all_)
        if (auto found = find_operator(manifest, op)) return found->call;
    return {};
}

std::string Manifests::plugin_with_call(std::string_view op) const {
    for (auto& manifest : all_)
        if (find_operator(manifest, op)) return manifest.plugin;
    return {};
}

const Manifest* Manifests::plugin(std::string_view name) const {
    auto found = std::ranges::find(all_, name, &Manifest::plugin);
    return found == all_.end() ? nullptr : &*found;
}

} // namespace mim
