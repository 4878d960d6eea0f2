// SPDX-License-Identifier: MIT
// The plugins that a program loads, their options, and the annexes that plugins and programs declare.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/nearest.h"
#include "driver/bootstrap.h"
#include "driver/loader.h"
#include "driver/manifest.h"
#include "driver/pipeline.h"
#include "driver/session.h"

namespace mim {

// ---- plugins ----------------------------------------------------------------------------------------------------------------

/// The folder of a plugin's files for programs that load another one as well.
static constexpr std::string_view joint_folder = "/with";

/// The file that the plugin `owner` has for programs with `guest`: `OWNER/with/GUEST.mim` beside its declarations.
static std::string joint_file(const std::string& declarations, const std::string& owner, const std::string& guest) {
    return data_folder(declarations, owner) + std::string(joint_folder) + "/" + guest + ".mim";
}

/// In full, also that of a file which was named without one.
static std::string folder_of(const std::string& path) {
    std::error_code error;
    return dir_of(std::filesystem::absolute(path, error).lexically_normal().string());
}

/// Neither of the two plugins that such a file is about builds on the other.
static bool is_joint_file(const std::string& path) { return folder_of(path).ends_with(joint_folder); }

/// Such a file, given as a program, is of the plugin in whose folder it is.
template<class Unit>
static bool become_joint_file(const SearchPath& search, Unit& unit) {
    if (!is_joint_file(unit.path)) return false;
    auto owner     = stem_of(dir_of(folder_of(unit.path)));
    auto guest     = stem_of(unit.path);
    bool are_known = is_plugin_name(owner) && is_plugin_name(guest) && !search.plugin(owner).empty()
                     && !search.plugin(guest).empty();
    if (are_known) unit.plugin = owner;
    return are_known;
}

const Scope* Session::plugin(const ast::Plugin& decl) {
    auto name      = decl.name.name.view();
    bool builds_on = !owner().empty() && !is_joint_file(loading_.back()->path);
    if (builds_on) registry.add_foundation(std::string(owner()), std::string(name));
    return load_plugin(name, decl.name.span);
}

const Scope* Session::load_plugin(std::string_view name, Span at) {
    auto scope = find_plugin(std::string(name), at);
    if (!scope) missing_.emplace(name);
    else if (name == default_pipeline_plugin()) load_companions(at);
    return scope;
}

void Session::report_no_plugin(const std::string& name, Span at) {
    auto& d = diags.report(Diag::plugin_not_found, at, {name, search.text()});
    Nearest nearest(name);
    for (auto& known : manifests().all()) nearest.offer(known.plugin);
    if (!nearest.best.empty()) d.note(Diag::did_you_mean, {}, {std::string(nearest.best)});
}

/// The plugins that come with the default pipeline, once that is loaded.
void Session::load_companions(Span at) {
    if (std::exchange(has_companions_, true)) return;
    for (auto& manifest : manifests().all())
        if (manifest.with_default_pipeline) load_plugin(manifest.plugin, at);
}

const Scope* Session::find_plugin(const std::string& name, Span at) {
    if (!is_plugin_name(name)) return report_plugin_name(diags, at, name), nullptr;
    if (auto it = plugins_.find(name); it != plugins_.end()) {
        if (it->second->done) return it->second->scope;
        return diags.report(Diag::import_cycle, at, {name, cycle_text(*it->second)}), nullptr;
    }
    auto path = search.plugin(name);
    if (path.empty()) return report_no_plugin(name, at), nullptr;
    auto [hashed, fresh] = plugin_hashes_.emplace(plugin_hash(name), name);
    if (!fresh && hashed->second != name) return diags.report(Diag::plugin_hash, at, {name, hashed->second}), nullptr;
    auto unit = read(path, name, at);
    if (!unit) return nullptr;
    unit->is_main_of_plugin = true;
    plugins_[name]          = unit;
    auto scope              = elaborate(*unit, at);
    std::vector<std::string> others;
    for (auto& [other, loaded] : plugins_)
        if (other != name && loaded->done) others.push_back(other);
    std::ranges::sort(others);
    auto is_program = [&](const std::string& owner, const std::string& guest) {
        return main_ && main_->plugin == owner && is_joint_file(main_->path) && stem_of(main_->path) == guest;
    };
    auto read_joint_file = [&](const std::string& owner, const std::string& guest) {
        if (is_program(owner, guest)) return;
        auto joint = joint_file(plugins_[owner]->path, owner, guest);
        auto file  = is_file(joint) ? read(joint, owner, at) : nullptr;
        if (file) elaborate(*file, at);
    };
    for (auto& other : others) {
        read_joint_file(other, name);
        read_joint_file(name, other);
    }
    return scope;
}

/// The file of a plugin, given as a program: it is what an installed plugin of its name declares, with that one's library.
void Session::become_plugin(Unit& unit) {
    if (become_joint_file(search, unit)) {
        for (auto& name : {unit.plugin, stem_of(unit.path)}) load_plugin(name, {});
        return;
    }
    auto name      = stem_of(unit.path);
    auto installed = is_plugin_name(name) ? search.plugin(name) : std::string();
    auto tags      = AnnexTable(unit.module);
    auto is_own    = [&](const AnnexTag& tag) { return tag.plugin == name; };
    if (installed.empty() || std::ranges::none_of(tags.tags(), is_own)) return;
    unit.plugin            = name;
    unit.library           = library_beside(installed, name);
    unit.is_main_of_plugin = true;
    plugins_[name]         = &unit;
    plugin_hashes_.emplace(plugin_hash(name), name);
}

// ---- options of plugins -----------------------------------------------------------------------------------------------------

bool Session::check_setting(const SettingText& setting) {
    auto plugin   = std::string(setting.plugin());
    auto key      = std::string(setting.key());
    auto manifest = manifests().plugin(plugin);
    if (manifest && manifest->option(key)) return true;
    for (auto& bad : manifests().bad()) {
        if (bad.plugin != plugin) continue;
        diags.report(Diag::bad_manifest, {}, {bad.path, bad.plugin, bad.problem});
        return false;
    }
    Nearest nearest(manifest ? key : plugin);
    std::string all;
    if (manifest)
        for (auto& option : manifest->options)
            all += (all.empty() ? ": it has `" : ", `") + option.key + "`", nearest.offer(option.key);
    else
        for (auto& known : manifests().all()) nearest.offer(known.plugin);
    bool exists = manifest || !search.plugin(plugin).empty();
    auto& d     = exists ? diags.report(Diag::unknown_setting, {}, {plugin, key, all})
                         : diags.report(Diag::plugin_not_found, {}, {plugin, search.text()});
    if (!nearest.best.empty()) d.note(Diag::did_you_mean, {}, {std::string(nearest.best)});
    return false;
}

bool Session::set(std::vector<SettingText> given) {
    given_settings_ = std::move(given);
    bool ok         = true;
    for (auto& setting : given_settings_) ok &= check_setting(setting);
    return ok;
}

void Session::report_unread_settings() {
    for (auto& setting : std::exchange(given_settings_, {}))
        if (!has_plugin(setting.plugin())) diags.report(Diag::unread_setting, {}, {setting.name, std::string(setting.plugin())});
}

// ---- annexes ----------------------------------------------------------------------------------------------------------------

bool Session::declare_annexes(Unit& unit, Span at) {
    auto& table = annexes_[unit.plugin];
    check_annexes(unit, unit.annexes = AnnexTable(unit.module));
    if (unit.is_main_of_plugin) {
        auto library = unit.library.empty() ? library_beside(unit.path, unit.plugin) : unit.library;
        LoaderContext context{registry, symbols, diags, settings, given_settings_};
        bool is_usable  = connect_plugin(context, unit.plugin, library, table, at);
        world.collector = registry.collector();
        return is_usable;
    }
    for (auto& tag : table.tags()) {
        if (tag.axioms.empty()) continue;
        registry.declare(tag, symbols);
        if (!unit.plugin.empty()) continue;
        for (auto axiom : registry.find("%" + std::string(tag.plugin) + "." + std::string(tag.name))) axiom->own = true;
    }
    return true;
}

void Session::check_annexes(const Unit& unit, const AnnexTable& table) {
    for (auto& tag : table.tags()) {
        auto name = "%" + std::string(tag.plugin) + "." + std::string(tag.name);
        if (tag.plugin != unit.plugin && has_plugin(tag.plugin))
            diags.report(Diag::annex_of_plugin, tag.span, {name, std::string(tag.plugin)});
        if (tag.subs.size() > UINT16_MAX || table.tags().size() > UINT16_MAX)
            diags.report(Diag::too_many_annexes, tag.span, {name});
        if (unit.is_main_of_plugin) continue;
        for (auto& axiom : tag.axioms)
            if (auto& normalizer = axiom.normalizer; !normalizer.name.empty())
                diags.report(Diag::normalizer_outside, normalizer.span, {name, normalizer.name.str()});
    }
}

Axiom* Session::axiom(const ast::Axm&, Symbol annex) { return registry.axiom(annex.view()); }

Axiom* Session::c_function(const ast::CDecl& decl) {
    auto& axiom = c_functions_[decl.name.name];
    if (!axiom) {
        axiom       = std::make_unique<Axiom>();
        axiom->name = decl.name.name;
        axiom->kind = decl.is_con ? Axiom::CCon : Axiom::CFun;
    }
    return axiom.get();
}

const AnnexId* Session::annex_id(const ast::Binder& annex) { return annexes_[loading_.back()->plugin].find(annex.name.view()); }

std::vector<const Def*> Session::own_annexes() { return main_ ? defined_annexes(main_->annexes) : std::vector<const Def*>(); }

std::vector<const Def*> Session::plugin_annexes() {
    std::vector<const Def*> defs;
    for (auto& [owner, table] : annexes_) {
        if (owner.empty()) continue;
        auto own = defined_annexes(table);
        defs.insert(defs.end(), own.begin(), own.end());
    }
    return defs;
}

std::vector<const Def*> Session::defined_annexes(const AnnexTable& table) {
    std::vector<const Def*> defs;
    for (auto& tag : table.tags()) {
        for (auto& sub : tag.subs) {
            if (sub.axiom) continue;
            auto name = "%" + std::string(tag.plugin) + "." + std::string(tag.name);
            if (!sub.names.front().empty()) name += "." + std::string(sub.names.front());
            if (auto def = world.annexes.find(symbols.intern(name))) defs.push_back(def);
        }
    }
    return defs;
}

} // namespace mim
