// SPDX-License-Identifier: MIT
#include "driver/session.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>

#include "base/blame.h"
#include "diag/fault_text.h"
#include "driver/bootstrap.h"
#include "opt/opt.h"

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

/// The evaluator of a front end; whatever goes wrong in it is the fault of its plugin, and of this file.
Evaluator blamed(Session& session, Evaluator evaluator, const RegisteredFrontEnd& end, FileId file) {
    if (!evaluator) return {};
    return [&session, &end, evaluator = std::move(evaluator), file](const std::vector<std::string>& args) {
        constexpr int max_status = 255; // the system keeps 8 bits
        session.reading          = {file, 0, 0};
        session.world.here       = {};
        try {
            Blame blame(end.plugin, "the evaluator for", end.extension);
            auto result    = evaluator(args);
            bool is_status = result.exit_code >= 0 && result.exit_code <= max_status;
            if (!is_status) throw std::out_of_range("it returned the status " + std::to_string(result.exit_code));
            return result;
        } catch (...) {
            auto what = "the evaluator for `" + end.extension + "` failed: " + fault_text(&session.diags);
            session.diags.report(Diag::plugin_fault, session.reading, {end.plugin, what});
            return Evaluation();
        }
    };
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
    context.is_imported = main_ != nullptr; // the program itself is read before it is known
    context.outputs     = outputs;
    context.open        = [&](const std::string& other) { return open_foreign(other); };
    auto failed         = [&](const std::string& why) {
        auto what = "the front end for `" + end.extension + "` failed: " + why;
        diags.report(Diag::plugin_fault, {file, 0, 0}, {end.plugin, what});
        return std::nullopt;
    };
    auto outer = std::exchange(reading, {file, 0, 0});
    try {
        Blame blame(end.plugin, "the front end for", end.extension);
        auto program        = end.read(context);
        reading             = outer;
        evaluators_[path]   = blamed(*this, std::move(context.evaluator), end, file);
        bool may_be_nothing = diags.num_errors() != 0; // whose errors they are, a front end need not ask
        if (program || may_be_nothing) return program;
        return failed("it made nothing, and reported nothing");
    } catch (...) {
        reading = outer;
        return failed(fault_text(&diags));
    }
}

/// A file that a front end reads beside its own one. The value of an option of a plugin is the file `--set PLUGIN.KEY`.
std::optional<FileId> Session::open_foreign(const std::string& path) {
    std::string text, error;
    constexpr std::string_view setting = "--set ";
    if (path.starts_with(setting)) return sources.add(path, settings.text(path.substr(setting.size())));
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
std::optional<ast::Module> Session::read_module(Unit& unit, FileId file, Span at) {
    auto& path  = unit.path;
    unit.file   = file;
    auto errors = diags.num_errors();
    auto end    = front_end_for(path, at);
    if (!end && diags.num_errors() == errors) return read_mim(file, path);
    sources.set_foreign(file);
    auto before  = world.externals.size();
    auto program = end ? run_front_end(*end, file, path) : std::nullopt; // an error hides whether the file is Mim
    if (!program) return {};
    for (auto& made : std::span(world.externals.all()).subspan(before))
        unit.functions.names.push_back({.name = made.name, .def = made.lam, .span = world.notes.span(made.lam)});
    if (auto module = std::get_if<ast::Module>(&*program)) return std::move(*module);
    auto& text    = std::get<MimText>(*program);
    auto mim      = sources.add(path + " (as Mim)", std::move(text.text));
    auto module   = parse_text(mim, path, {.map = text.map.empty() ? nullptr : &text.map});
    auto is_lost  = [&](const ast::Decl* decl) { return sources.path(decl->span.file).empty(); };
    bool are_lost = std::ranges::any_of(module.decls, is_lost);
    if (!are_lost) return module;
    auto what = "the front end for `" + end->extension + "` failed: its source map has a place in no file";
    diags.report(Diag::plugin_fault, {file, 0, 0}, {end->plugin, what});
    return {};
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
    auto module  = read_module(*unit, file, at);
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
    if (!unit.is_unread && declare_annexes(unit, at)) unit.scope = with_functions(unit, elaborate_tree(unit));
    loading_.pop_back();
    unit.done = true;
    return unit.scope;
}

/// The names for a program that imports the file.
const Scope* Session::with_functions(Unit& unit, const Scope* tree) {
    auto& names = unit.functions.names;
    if (!tree || names.empty()) return tree;
    names.insert(names.end(), tree->names.begin(), tree->names.end());
    return &unit.functions;
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
