// SPDX-License-Identifier: MIT
#include "driver/session.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <set>
#include <tuple>
#include <utility>

#include "base/blame.h"
#include "base/nearest.h"
#include "driver/bootstrap.h"
#include "driver/loader.h"
#include "driver/manifest.h"
#include "driver/pipeline.h"
#include "ir/token_types.h"
#include "linear/tokens.h"
#include "opt/opt.h"
#include "sema/reflect.h"

namespace mim {

namespace {

/// Two spellings of one path are one file.
std::string canonical(const std::string& path) {
    char real[PATH_MAX];
    return path != "-" && ::realpath(path.c_str(), real) ? real : path;
}

/// The plugin names of the annexes in a text, each once; good enough for what stands on a command line.
std::vector<std::string> plugins_named_in(std::string_view text) {
    std::vector<std::string> names;
    for (size_t i = text.find('%'); i != text.npos; i = text.find('%', i + 1)) {
        auto end = text.find('.', i);
        if (end == text.npos) break;
        auto name = text.substr(i + 1, end - i - 1);
        if (is_plugin_name(name)) names.emplace_back(name);
    }
    return names;
}

} // namespace

Session::Session(const std::vector<std::string>& plugin_dirs)
    : diags(sources)
    , search(plugin_dirs) {
    world.set_symbols(&symbols);
    for (auto& phase : opt::phases()) registry.add_phase({std::move(phase), {}});
    sema_ = std::make_unique<Elaborator>(world, diags, static_cast<SemaHost&>(*this));
}

Session::~Session() = default;

// ---- files ------------------------------------------------------------------------------------------------------------------

Session::Unit* Session::known(const std::string& key, Span at, bool& cycle) {
    auto it = units_.find(key);
    cycle   = false;
    if (it == units_.end()) return nullptr;
    auto unit = it->second.get();
    if (!unit->done) {
        cycle = true;
        diags.report(Diag::import_cycle, at, {unit->path, cycle_text(*unit)});
    }
    return unit;
}

std::string Session::cycle_text(const Unit& unit) const {
    std::string text;
    bool inside = false;
    for (auto u : loading_) {
        inside |= u == &unit;
        if (inside) text += "`" + u->path + "` → ";
    }
    return text + "`" + unit.path + "`";
}

const Manifests& Session::manifests() {
    if (!manifests_) manifests_.emplace(search.dirs());
    return *manifests_;
}

/// Loads the plugin whose manifest says that it has something. If none does, a manifest that cannot be read may be the
/// reason. False after a report, or if no plugin has it.
bool Session::load_owner(const std::string& what, std::span<const Manifest* const> plugins, Span at) {
    if (plugins.size() > 1) {
        auto by = [&](size_t i) { return "the plugin `" + plugins[i]->plugin + "`"; };
        diags.report(Diag::registered_twice, at, {what, by(0), by(1)});
        return false;
    }
    if (!plugins.empty()) return load_plugin(plugins[0]->plugin, at);
    for (auto& bad : manifests().bad()) diags.report(Diag::bad_manifest, at, {bad.path, bad.plugin, bad.problem});
    return false;
}

/// The front end for the extension of this file, if there is one. The plugin that has it is loaded if it is not yet.
const RegisteredFrontEnd* Session::front_end_for(const std::string& path, Span at) {
    auto ext = other_extension_of(path);
    if (ext.empty()) return nullptr;
    if (auto end = registry.front_end(ext)) return end;
    bool is_loaded = load_owner("the front end for `." + ext + "`", manifests().with_extension(ext), at);
    return is_loaded ? registry.front_end(ext) : nullptr;
}

const RegisteredBackEnd* Session::back_end(const std::string& name) {
    if (auto end = registry.back_end(name)) return end;
    bool is_loaded = load_owner("the output `" + name + "`", manifests().with_output(name), {});
    return is_loaded ? registry.back_end(name) : nullptr;
}

std::optional<FrontEndProgram> Session::run_front_end(const RegisteredFrontEnd& end, FileId file, const std::string& path) {
    Profile::Scope scope(profile, "front end " + path, &world);
    FrontEndContext context{world, symbols, diags, profile, file, path, end.extension, sources.text(file), settings};
    context.open = [&](const std::string& other) { return open_foreign(other); };
    auto failed  = [&](const std::string& why) {
        auto what = "the front end for `" + end.extension + "` failed: " + why;
        diags.report(Diag::plugin_fault, {file, 0, 0}, {end.plugin, what});
        return std::nullopt;
    };
    try {
        Blame blame(end.plugin, "the front end for", end.extension);
        auto program        = end.read(context);
        evaluators_[path]   = std::move(context.evaluator);
        bool may_be_nothing = diags.num_errors() != 0; // whose errors they are, a front end need not ask
        if (program || may_be_nothing) return program;
        return failed("it made nothing, and reported nothing");
    } catch (...) {
        return failed(thrown_text());
    }
}

/// A file that a front end reads beside its own one.
std::optional<FileId> Session::open_foreign(const std::string& path) {
    std::string text, error;
    if (!read_file(path, text, error)) return {};
    auto file = sources.add(path, std::move(text));
    sources.set_foreign(file);
    opened_.push_back(path);
    return file;
}

const Evaluator* Session::evaluator() const {
    auto found = main_ ? evaluators_.find(main_->path) : evaluators_.end();
    return found == evaluators_.end() || !found->second ? nullptr : &found->second;
}

/// The tree of a file: of Mim text, or of what the front end for its extension makes of it; nothing if that failed.
std::optional<ast::Module> Session::read_module(FileId file, const std::string& path, Span at) {
    auto errors = diags.num_errors();
    auto end    = front_end_for(path, at);
    if (!end && diags.num_errors() == errors) return read_mim(file, path);
    sources.set_foreign(file);
    auto program = end ? run_front_end(*end, file, path) : std::nullopt; // an error hides whether the file is Mim
    if (!program) return {};
    if (auto module = std::get_if<ast::Module>(&*program)) return std::move(*module);
    auto& text = std::get<MimText>(*program);
    auto mim   = sources.add(path + " (as Mim)", std::move(text.text));
    return parse_text(mim, path, {.map = text.map.empty() ? nullptr : &text.map});
}

/// A file that no plugin reads. One with another extension may well be no Mim, which the errors do not say.
ast::Module Session::read_mim(FileId file, const std::string& path) {
    auto errors    = diags.num_errors();
    auto module    = parse_text(file, path, {});
    auto extension = other_extension_of(path);
    if (!extension.empty() && diags.num_errors() != errors) diags.report(Diag::read_as_mim, {}, {path, extension});
    return module;
}

ast::Module Session::parse_text(FileId file, const std::string& path, const ParseOptions& options) {
    Profile::Scope scope(profile, "parse " + path, &world);
    return parse(file, sources, symbols, diags, options);
}

Session::Unit* Session::read(const std::string& path, const std::string& plugin, Span at) {
    std::string text, error;
    if (read_file(path, text, error)) return add_unit(path, plugin, std::move(text), at);
    diags.report(Diag::cannot_read, at, {path, error});
    return nullptr;
}

Session::Unit* Session::add_unit(const std::string& path, const std::string& plugin, std::string text, Span at) {
    auto unit    = std::make_unique<Unit>();
    unit->path   = path == "-" ? "<stdin>" : path;
    unit->plugin = plugin;
    auto file    = sources.add(unit->path, std::move(text));
    auto module  = read_module(file, unit->path, at);
    if (module) unit->module = std::move(*module);
    else unit->is_unread = true;
    return (units_[canonical(path)] = std::move(unit)).get();
}

const Scope* Session::elaborate(Unit& unit, Span at) {
    Profile::Scope scope(profile, "elaborate " + unit.path, &world);
    loading_.push_back(&unit);
    // Numbers first, since files that this one needs may add annexes of their own; libraries after what they depend on.
    annexes_[unit.plugin].add(unit.module);
    load_dependencies(unit);
    if (!unit.is_unread && declare_annexes(unit, at)) unit.scope = elaborate_tree(unit);
    loading_.pop_back();
    unit.done = true;
    return unit.scope;
}

/// A tree that a front end has made may be none that Mim would have made of a text.
const Scope* Session::elaborate_tree(Unit& unit) {
    bool is_foreign = sources.is_foreign(unit.module.file);
    auto front_end  = is_foreign ? registry.front_end(other_extension_of(unit.path)) : nullptr;
    if (!front_end) return sema_->elaborate(unit.module);
    Blame blame(front_end->plugin, "the tree of the front end for", front_end->extension);
    return sema_->elaborate(unit.module);
}

void Session::load_dependencies(const Unit& unit) {
    for (auto decl : unit.module.decls) {
        if (auto i = ast::isa<ast::Import>(decl)) import(*i);
        else if (auto p = ast::isa<ast::Plugin>(decl)) plugin(*p);
    }
}

const Scope* Session::import(const ast::Import& decl) {
    auto& from = *loading_.back();
    auto name  = decl.path.name.view();
    auto path  = search.import(from.path == "<stdin>" ? "" : from.path, from.plugin, name, decl.quoted);
    if (path.empty()) {
        diags.report(Diag::import_not_found, decl.path.span,
                     {std::string(name) + (decl.quoted ? "" : ".mim"), "`" + dir_of(from.path) + "`, " + search.text()});
        return nullptr;
    }
    if (!decl.quoted && !library_beside(path, name).empty()) { // it is clear what is meant
        auto& d = diags.report(Diag::import_not_found, decl.path.span,
                               {std::string(name) + ".mim", "`" + dir_of(from.path) + "`"});
        d.note(Diag::needs_plugin, {}, {std::string(name)});
        load_plugin(name, decl.path.span);
        return nullptr;
    }
    bool cycle;
    if (auto unit = known(canonical(path), decl.path.span, cycle)) return cycle ? nullptr : unit->scope;
    auto unit = read(path, from.plugin, decl.path.span);
    return unit ? elaborate(*unit, decl.path.span) : nullptr;
}

std::string Session::plugin_with_operator(std::string_view op) {
    auto plugin = manifests().plugin_with_call(op);
    return has_plugin(plugin) ? std::string() : plugin;
}

bool Session::load_program(const std::string& path) {
    auto errors = diags.num_errors();
    main_       = read(path, {}, {});
    if (main_ && main_->plugin.empty()) become_plugin(*main_);
    return main_ && elaborate_main(errors);
}

/// The file of a plugin, given as a program: it is what an installed plugin of its name declares, with that one's library.
void Session::become_plugin(Unit& unit) {
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

std::vector<OperatorCall> Session::operator_calls() const {
    auto calls = sema_->operator_calls();
    std::erase_if(calls, [&](auto& call) { return !main_ || call.call.file != main_->module.file; });
    return calls;
}

bool Session::can_read(const std::string& text, const std::string& name) {
    auto errors = diags.num_errors();
    auto unit   = add_unit(name, {}, text, {});
    return diags.num_errors() == errors && !unit->is_unread;
}

const ast::Module* Session::read_tree(const std::string& path) {
    auto errors = diags.num_errors();
    auto unit   = read(path, {}, {});
    return diags.num_errors() == errors && !unit->is_unread ? &unit->module : nullptr;
}

bool Session::load_text(std::string text, const std::string& name) {
    auto errors = diags.num_errors();
    main_       = add_unit(name, {}, std::move(text), {});
    return elaborate_main(errors);
}

bool Session::elaborate_main(size_t errors) {
    elaborate(*main_, {});
    if (diags.num_errors() != errors || main_->is_unread) return false;
    PhaseContext context{world, diags, {}, settings};
    try {
        opt::apply_norms(context);
    } catch (const Error& e) {
        report(e);
    }
    return diags.num_errors() == errors;
}

/// The name of a parameter that is an element of a function's variable, where only the function knows it; else empty.
static std::string parameter_name(const World& world, const Lam* lam, const Def* token) {
    auto ex     = token->isa<Extract>();
    auto index  = ex ? isa_lit(ex->index()) : nullptr;
    auto fields = index && lam && ex->tuple() == lam->var() ? world.notes.fields(lam) : nullptr;
    bool known  = fields && index->value() < fields->size();
    return known ? (*fields)[index->value()].str() : std::string();
}

/// The arguments of a violation, where a token without a name is called by the expression that made it.
std::vector<Error::Arg> Session::token_named(const Violation& v, Span at) const {
    static constexpr size_t MaxText = 60;
    auto args                       = v.args;
    auto found                      = args.empty() ? nullptr : std::get_if<const Def*>(&args[0]);
    if (!found || (v.id != Diag::token_dropped && v.id != Diag::token_used_twice)) return args;
    auto token = *found;
    auto whole = token;
    while (whole->isa<Extract>() && !world.notes.name(whole)) whole = whole->as<Extract>()->tuple();
    if (auto name = world.notes.name(whole); name && name.view() == "_")
        args[0] = std::string("_");      // its parts have no names either
    auto made = world.notes.span(whole); // where a call waits, not that, but what has made the token
    auto text = sources.text(made && v.node != whole ? made : at);
    if (world.notes.name(token) || !at) return args;
    auto name = parameter_name(world, v.lam, token);
    if (!name.empty()) args[0] = name;
    bool is_place_of_function = !v.node || !world.notes.span(v.node);
    if (!name.empty() || is_place_of_function) return args;
    if (text.size() > MaxText || text.find('\n') != text.npos) return args;
    if (text.find(' ') != text.npos) args[0] = std::string(text); // a call, not the name of a binder
    return args;
}

void Session::add_note(Diagnostic& d, const Violation::Note& note) {
    auto span = note.node ? world.notes.span(note.node) : Span();
    if (note.node && !span) return;
    DiagArgs args;
    for (auto& arg : note.args) {
        auto text = std::get_if<std::string>(&arg);
        args.push_back(text ? *text : show(world, std::get<const Def*>(arg)));
    }
    d.note(note.id, span, std::move(args));
}

std::vector<Violation> Session::find_violations() {
    if (is_made_by_phases) return mim::check_tokens(world); // phases keep less than a program promises
    std::vector<const Lam*> roots, inner;
    for (auto& e : world.externals) roots.push_back(e.lam);
    // Functions whose calls were all evaluated, or that nobody calls, are in no other graph. Where they are called, it is seen whether a token
    // from around them is lost or used elsewhere as well, but not what they do with it if nobody calls them.
    auto& tokens = world.token_types();
    for (auto lam : sema_->functions()) {
        auto refers = !is_closed(world, lam)
                      && std::ranges::any_of(free_vars(world, lam), [&](auto var) { return tokens.is_token(var); });
        (refers ? inner : roots).push_back(lam);
    }
    inner.insert(inner.end(), sema_->functions_as_read().begin(), sema_->functions_as_read().end());
    auto violations = mim::check_tokens(world, roots);
    if (violations.empty() && !inner.empty()) {
        violations = mim::check_tokens(world, inner);
        std::erase_if(violations, [](auto& v) { return v.id != Diag::token_used_twice; });
    }
    return violations;
}

/// A copy of a function does not know where the elements of its parameters are. If the function as it was written has the same fault, that is said
/// once, at the parameter.
static void drop_copies(const World& world, std::vector<Violation>& violations) {
    auto is_placed = [&](const Violation& v) { return v.node && world.notes.span(v.node); };
    auto fault     = [&](const Violation& v) {
        auto function = world.notes.span(v.lam);
        return std::tuple(info(v.id).code, function.file, function.begin);
    };
    std::set<std::tuple<std::string_view, FileId, uint32_t>> faults;
    for (auto& v : violations)
        if (v.lam && is_placed(v)) faults.insert(fault(v));
    std::erase_if(violations, [&](const Violation& v) { return v.lam && !is_placed(v) && faults.contains(fault(v)); });
}

bool Session::check_tokens() {
    Profile::Scope scope(profile, "check tokens", &world);
    auto violations = find_violations();
    drop_copies(world, violations);
    auto place    = [&](const Def* def) { return def ? world.notes.span(def) : Span(); };
    auto place_of = [&](const Violation& v) { return place(v.node) ? place(v.node) : place(v.lam); };
    std::ranges::stable_sort(violations, [&](auto& a, auto& b) {
        auto x = place_of(a), y = place_of(b);
        return std::pair(x.file, x.begin) < std::pair(y.file, y.begin);
    });
    for (auto& v : violations) {
        auto at = place_of(v);
        auto& d = mim::report(diags, world, Error(v.id, token_named(v, at)), at);
        for (auto& note : v.notes) add_note(d, note);
    }
    return violations.empty();
}

// ---- plugins ----------------------------------------------------------------------------------------------------------------

/// The folder of a plugin's files for programs that load another one as well.
static constexpr std::string_view joint_folder = "/with";

/// The file that the plugin `owner` has for programs with `guest`: `OWNER/with/GUEST.mim` beside its declarations.
static std::string joint_file(const std::string& declarations, const std::string& owner, const std::string& guest) {
    return data_folder(declarations, owner) + std::string(joint_folder) + "/" + guest + ".mim";
}

/// Neither of the two plugins that such a file is about builds on the other.
static bool is_joint_file(const std::string& path) { return dir_of(path).ends_with(joint_folder); }

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
    auto read_joint_file = [&](const std::string& owner, const std::string& guest) {
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

// ---- options of plugins
// -----------------------------------------------------------------------------------------------------

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

std::vector<std::string> Session::inputs() const {
    auto paths = opened_;
    for (auto& [path, unit] : units_) paths.push_back(path);
    return paths;
}

// ---- expressions ------------------------------------------------------------------------------------------------------------

const Def* Session::expression(std::string_view text, std::string_view origin) {
    Unit unit;
    unit.path   = origin;
    auto file   = sources.add(unit.path, std::string(text));
    auto errors = diags.num_errors();
    unit.module = parse_expr(file, sources, symbols, diags);
    if (diags.num_errors() != errors) return nullptr;
    annexes_[{}].add(unit.module);
    auto program_has = [&](std::string_view plugin) {
        for (auto& tag : annexes_[{}].tags())
            if (tag.plugin == plugin) return true;
        return false;
    };
    for (auto& name : plugins_named_in(text))
        if (!has_plugin(name) && !program_has(name)) load_plugin(name);
    loading_.push_back(&unit);
    auto def = declare_annexes(unit, {}) ? sema_->elaborate_expr(unit.module, main_ ? main_->scope : nullptr) : nullptr;
    loading_.pop_back();
    return def;
}

} // namespace mim
