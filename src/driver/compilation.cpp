// SPDX-License-Identifier: MIT
#include "driver/compilation.h"

#include <algorithm>

#include "backend/backend.h"
#include "driver/commands.h"
#include "driver/output.h"

namespace mim {

namespace {

/// Where the program before a phase that failed is written: beside nothing that the user made, in the current folder.
std::string reproducer_name(const std::string& file) { return (file == "-" ? "stdin" : stem_of(file)) + ".reproducer.mim"; }

std::string shell_quoted(const std::string& word) {
    std::string out = "'";
    for (auto c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string option(const char* name, uint64_t value) {
    return value ? name + std::string(" ") + std::to_string(value) + " " : "";
}
std::string option(const char* name, const std::string& value) {
    return value.empty() ? std::string() : name + std::string(" ") + shell_quoted(value) + " ";
}

/// Options that say how code is made decide what phases get. Only `build` has these.
std::string code_options(const Options& o, Kept kept) {
    std::string text = option("--target", o.target) + option("--cpu", o.cpu);
    if (kept.functions) text += "-g -O0 ";
    else if (kept.names) text += "-g ";
    if (kept.traps) text += "--checked ";
    return text;
}

/// The command of a reproducer, but for the pipeline, the phase and the file. It needs no MIM_PLUGIN_PATH.
std::string reproducing_command(const Options& o, Kept kept, const std::vector<std::string>& plugin_dirs) {
    auto code        = code_options(o, kept);
    std::string text = code.empty() ? "mim check " : "mim build --emit mim -o /dev/null " + code;
    for (auto& dir : plugin_dirs)
        if (dir != installed_plugin_dir()) text += option("-P", dir);
    for (auto& plugin : o.plugins) text += option("-p", plugin);
    for (auto& setting : o.settings) text += option("--set", setting.name + "=" + setting.value);
    if (o.verify_each) text += "--verify-each ";
    return text + option("--budget", o.budget) + option("--max-stack", o.max_stack) + option("--max-memory", o.max_memory);
}

/// Names of all outputs, if a plugin makes one of them: a front end may leave out what none of them needs.
std::vector<std::string> outputs_beside_plugins(const Options& o) {
    auto outputs = o.plugin_emit;
    if (outputs.empty()) return outputs;
    for (auto kind : o.emit) outputs.emplace_back(std::ranges::find(emits(), kind, &EmitInfo::id)->name);
    return outputs;
}

} // namespace

Compilation::Compilation(const Options& o, std::string file, Kept kept, std::optional<std::string> text)
    : session(o.plugin_dirs)
    , options(o)
    , file(std::move(file))
    , kept_(kept)
    , text_(std::move(text)) {
    configure(session.diags, o);
    session.profile.enabled   = o.time || o.stats || !o.trace.empty();
    auto& world               = session.world;
    world.checked             = o.checked;
    world.normalizers         = !o.no_normalizers;
    world.keeps_traps         = kept.traps;
    world.debug               = kept.names || o.names == NamesOf::Source;
    session.is_made_by_phases = !o.start_at.empty();
    if (o.budget) world.limits.budget = o.budget;
    if (o.max_stack) world.limits.max_stack = std::min<uint64_t>(o.max_stack, 1 << 20) << 20;
    if (o.max_memory) world.limits.max_memory = std::min(o.max_memory, UINT64_MAX >> 20) << 20;
}

bool Compilation::check() {
    auto errors = session.diags.num_errors();
    if (!backend::set_target(session.world, session.diags, options.target, options.cpu)) return false;
    if (!session.set(options.settings)) return false;
    session.outputs = outputs_beside_plugins(options);
    for (auto& plugin : options.plugins) session.load_plugin(plugin);
    if (!load() || session.diags.num_errors() != errors) return false;
    is_checked_ = session.check_tokens() && (!options.verify_each || verify());
    return is_checked_;
}

bool Compilation::load() { return text_ ? session.load_text(std::move(*text_), file) : session.load_program(file); }

/// The program has no errors by now: what the verifier finds is the fault of the front end or of a normalizer.
bool Compilation::verify() {
    Profile::Scope scope(session.profile, "verify", &session.world);
    auto wrong = verify_text(session.world);
    if (!wrong.empty()) session.diags.report(Diag::phase_broke, {}, {"Mim itself", "elaborate", wrong});
    return wrong.empty();
}

PipelineOptions Compilation::pipeline_options() const {
    PipelineOptions p;
    p.pipeline     = options.pipeline;
    p.target       = options.plugin_emit.empty() ? backend::kTarget : "";
    p.verify_each  = options.verify_each;
    p.debugging    = kept_.functions;
    p.print_after  = options.print_after;
    p.names        = options.names;
    p.start_at     = options.start_at;
    p.stop_after   = options.stop_after;
    p.reproducer   = reproducer_name(file);
    p.command_line = options.command_line;
    p.command      = reproducing_command(options, kept_, session.search.dirs());
    return p;
}

bool Compilation::check_phases() { return mim::check_phases(session, pipeline_options()); }

Outcome Compilation::optimize() {
    auto outcome = run_pipeline(session, pipeline_options());
    if (outcome == Outcome::Done) session.report_unread_settings();
    return outcome;
}

Outcome Compilation::apply_rules() {
    auto phases = pipeline_options();
    phases.only = "rules";
    phases.start_at.clear();
    return run_pipeline(session, phases);
}

void Compilation::show_diagnostics() {
    print_diagnostics(session.diags, options, shown_);
    shown_ = session.diags.all().size();
}

int status_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::Done: return kDone;
        case Outcome::UserError: return kInputError;
        case Outcome::Fault: break;
    }
    return kInternal;
}

} // namespace mim
