// SPDX-License-Identifier: MIT
// One compilation: the sources, the tables that plugins filled, and the graph. Sessions share nothing, so many can live side by
// side in one process; each belongs to the thread that uses it. The front end runs here; what happens to the program afterwards
// is in driver/pipeline.h.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/source.h"
#include "base/symbol.h"
#include "diag/diag.h"
#include "driver/annexes.h"
#include "driver/manifests.h"
#include "driver/registry.h"
#include "driver/search.h"
#include "ir/violation.h"
#include "ir/world.h"
#include "phase/profile.h"
#include "phase/settings.h"
#include "sema/elaborate.h"
#include "syntax/ast.h"
#include "syntax/parse.h"

namespace mim {

class Session : private SemaHost {
public:
    /// `plugin_dirs`: the folders of -P.
    explicit Session(const std::vector<std::string>& plugin_dirs = {});
    ~Session() override;
    Session(const Session&)            = delete;
    Session& operator=(const Session&) = delete;

    SourceManager sources;
    SymbolTable symbols;
    Diagnostics diags;
    Registry registry;
    Profile profile;
    World world;
    SearchPath search;
    Settings settings;                ///< the options of the plugins that are loaded
    std::vector<std::string> outputs; ///< names of those that the command asks for, if plugins make some of them
    Span reading;                     ///< the beginning of the file whose front end runs, which may not come back

    /// Takes the values of --set before anything is loaded. False after a report: a plugin or an option does not exist.
    bool set(std::vector<SettingText>);
    /// Warns of options of plugins that are not loaded, once.
    void report_unread_settings();
    /// Elaborates a program; `-` is standard input. False if it has errors, which are in `diags`.
    bool load_program(const std::string& path);
    /// The same of a text, as if it were a file of that name.
    bool load_text(std::string text, const std::string& name);
    /// The tree of a program's file before elaboration, of whatever language. Null after a report.
    const ast::Module* read_tree(const std::string& path);
    /// Whether a text that a file of that name might have makes a tree. Else it was reported why.
    bool can_read(const std::string& text, const std::string& name);
    /// Loads a plugin unless that was done before, with all that it names. Null after a report; `at` is who asks for it.
    const Scope* load_plugin(std::string_view name, Span at = {});
    /// The manifests of all plugins on the search path; read when they are asked for first.
    const Manifests& manifests();
    /// The back end for an output; its plugin is loaded if it is not yet. Null if no plugin has one, or after a report.
    const RegisteredBackEnd* back_end(const std::string& name);
    bool has_plugin(std::string_view name) const { return plugins_.contains(std::string(name)); }
    /// Elaborates an expression in which the names of the program are visible; the plugins of the annexes in it are loaded.
    /// `origin` is the file name that diagnostics show. Null after a report.
    const Def* expression(std::string_view text, std::string_view origin);
    /// The annexes that the main file itself defines by `let`, `rec` or a function, in order.
    std::vector<const Def*> own_annexes();
    /// The same of the plugins that are loaded.
    std::vector<const Def*> plugin_annexes();
    /// The names that the main file declares at top level; null if it was not elaborated.
    const Scope* program_names() const { return main_ ? main_->scope : nullptr; }
    /// The files that were read so far; `-` is standard input.
    std::vector<std::string> inputs() const;
    /// The program's file if that is in the language of a plugin; else none.
    FileId foreign_file() const { return main_ && sources.is_foreign(main_->file) ? main_->file : FileId(); }
    /// The evaluator of the program's language, if that has one of its own; else null.
    const Evaluator* evaluator() const;
    /// Calls that operators would make as well are kept from now on.
    void keep_operator_calls() { sema_->keep_operator_calls(); }
    /// Those of the program's own file, which was loaded.
    std::vector<OperatorCall> operator_calls() const;
    /// Checks what only whole functions show: that every token is consumed exactly once on each path. False if one is not. A program that
    /// phases made is held to what phases are held to.
    bool check_tokens();
    /// The program is what some phases of a pipeline made of another one, and goes on from there.
    bool is_made_by_phases = false;
    /// Reports an error of the graph.
    void report(const Error& e, Span at = {}) { mim::report(diags, world, e, at || !e.node ? at : world.notes.span(e.node)); }

private:
    std::vector<Violation> find_violations();
    /// A file that was read, for good.
    struct Unit {
        std::string path;
        std::string plugin;  ///< whose file it is; empty: the program's
        std::string library; ///< of its plugin, if that does not lie beside it
        FileId file            = 0;
        bool is_main_of_plugin = false;
        bool done              = false;
        bool is_unread         = false; ///< its front end made nothing of it, which was reported
        ast::Module module;             ///< its declarations are consumed by elaboration
        AnnexTable annexes;             ///< that this file declares
        const Scope* scope = nullptr;
        /// That its front end has put into the world itself; with the names of the tree, once that is elaborated.
        Scope functions;
    };

    const Scope* import(const ast::Import&) override;
    const Scope* plugin(const ast::Plugin&) override;
    Axiom* axiom(const ast::Axm&, Symbol annex) override;
    Axiom* c_function(const ast::CDecl&) override;
    const AnnexId* annex_id(const ast::Binder& annex) override;
    std::string_view owner() const override { return loading_.empty() ? std::string_view() : loading_.back()->plugin; }
    std::string plugin_with_operator(std::string_view) override;
    bool may_name_internals() const override { return is_made_by_phases || !owner().empty(); }
    bool can_load(std::string_view plugin) const override { return !search.plugin(plugin).empty(); }
    bool is_missing(std::string_view plugin) const override {
        return missing_.contains(std::string(plugin)) || (!missing_.empty() && !has_plugin(plugin));
    }
    const Scope* find_plugin(const std::string& name, Span at);
    void report_no_plugin(const std::string& name, Span at);
    void become_plugin(Unit&);

    Unit* read(const std::string& path, const std::string& plugin, Span at);
    Unit* add_unit(const std::string& path, const std::string& plugin, std::string text, Span at);
    bool elaborate_main(size_t errors);
    void load_companions(Span at);
    bool check_setting(const SettingText&);
    bool load_owner(const std::string& what, std::span<const Manifest* const> plugins, Span at);
    const RegisteredFrontEnd* front_end_for(const std::string& path, Span at);
    std::optional<FrontEndProgram> run_front_end(const RegisteredFrontEnd&, FileId, const std::string& path);
    std::optional<FileId> open_foreign(const std::string& path);
    std::optional<ast::Module> read_module(Unit&, FileId, Span at);
    ast::Module read_mim(FileId, const std::string& path);
    ast::Module parse_text(FileId, const std::string& path, const ParseOptions&);
    std::vector<const Def*> defined_annexes(const AnnexTable&);
    /// The unit of this file if it is known already; `cycle` says that it is still being loaded.
    Unit* known(const std::string& key, Span at, bool& cycle);
    const Scope* elaborate(Unit&, Span at);
    const Scope* elaborate_tree(Unit&);
    static const Scope* with_functions(Unit&, const Scope* tree);
    void load_dependencies(const Unit&);
    bool declare_annexes(Unit&, Span at);
    void check_annexes(const Unit&, const AnnexTable&);
    std::string cycle_text(const Unit&) const;
    std::vector<Error::Arg> token_named(const Violation&, Span at) const;
    void add_note(Diagnostic&, const Violation::Note&);

    std::map<std::string, std::unique_ptr<Unit>> units_; ///< by canonical path
    std::unordered_map<std::string, Unit*> plugins_;
    std::unordered_map<uint64_t, std::string> plugin_hashes_;
    std::unordered_set<std::string> missing_;   ///< plugins that could not be loaded
    std::map<std::string, AnnexTable> annexes_; ///< by owner: a plugin's name, or empty for the program
    std::unordered_map<Symbol, std::unique_ptr<Axiom>> c_functions_;
    std::map<std::string, Evaluator> evaluators_; ///< of front ends, by the paths of their files
    std::vector<std::string> opened_;             ///< files that front ends opened
    std::vector<Unit*> loading_;                  ///< from the outermost in
    Unit* main_ = nullptr;
    std::unique_ptr<Elaborator> sema_;
    std::optional<Manifests> manifests_;
    bool has_companions_ = false; ///< plugins that come with the default pipeline were asked for
    std::vector<SettingText> given_settings_;
};

} // namespace mim
