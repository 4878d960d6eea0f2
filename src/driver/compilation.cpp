// SPDX-License-Identifier: MIT
#include "driver/compilation.h"

#include "backend/backend.h"
#include "driver/commands.h"
#include "driver/output.h"

namespace mim {

namespace {

/// Where the program before a phase that failed is written: beside nothing that the user made, in the current folder.
std::string reproducer_name(const std::string& file) { return (file == "-" ? "stdin" : stem_of(file)) + ".reproducer.mim"; }

void list_idle_rules(Session& session) {
    for (auto& rule : session.world.rules())
        if (rule->fired == 0) session.diags.report(Diag::rule_never_fired, rule->span, {rule->name.str()});
}

void show_statistics(const Session& session, const Options& o) {
    if (o.time || o.stats) print_error(session.profile.table());
    if (!o.stats) return;
    auto& s = session.world.stats();
    print_error("nodes " + std::to_string(s.nodes) + ", bytes " + std::to_string(s.bytes) + ", reductions "
                + std::to_string(s.betas) + ", requests " + std::to_string(s.requests) + "\n");
}

/// Whether something went wrong that is no fault of the program.
bool has_fault(const Diagnostics& diags) {
    for (auto& d : diags.all())
        if (d.id == Diag::phase_broke || d.id == Diag::normalizer_broke || d.id == Diag::normalizer_threw) return true;
    return false;
}

void write_trace(Session& session, const Options& o) {
    std::string error;
    if (!o.trace.empty() && !write_result(o.trace, session.profile.trace(), session.inputs(), error))
        session.diags.report(Diag::cannot_write, {}, {o.trace, error});
}

} // namespace

Compilation::Compilation(const Options& o, std::string file)
    : session(o.plugin_dirs)
    , options(o)
    , file(std::move(file)) {
    configure(session.diags, o);
    session.profile.enabled   = o.time || o.stats || !o.trace.empty();
    auto& world               = session.world;
    world.checked             = o.checked;
    world.debug               = o.debug_info;
    session.is_made_by_phases = !o.start_at.empty();
    if (o.budget) world.limits.budget = o.budget;
    if (o.max_stack) world.limits.max_stack = std::min<uint64_t>(o.max_stack, 1 << 20) << 20;
    if (o.max_memory) world.limits.max_memory = std::min(o.max_memory, UINT64_MAX >> 20) << 20;
}

bool Compilation::check() {
    auto errors = session.diags.num_errors();
    if (!backend::set_target(session.world, session.diags, options.target, options.cpu)) return false;
    for (auto& plugin : options.plugins) session.load_plugin(plugin);
    if (!session.load_program(file) || session.diags.num_errors() != errors) return false;
    return session.check_tokens() && (!options.verify_each || verify());
}

/// The program has no errors by now: what the verifier finds is the fault of the front end or of a normalizer.
bool Compilation::verify() {
    Profile::Scope scope(session.profile, "verify", &session.world);
    auto wrong = verify_text(session.world);
    if (!wrong.empty()) session.diags.report(Diag::phase_broke, {}, {"Mim itself", "elaborate", wrong});
    return wrong.empty();
}

Outcome Compilation::optimize() {
    PipelineOptions p;
    p.pipeline     = options.pipeline;
    p.verify_each  = options.verify_each;
    p.debugging    = options.debug_info && options.opt_level == 0;
    p.print_after  = options.print_after;
    p.start_at     = options.start_at;
    p.stop_after   = options.stop_after;
    p.reproducer   = reproducer_name(file);
    p.command_line = options.command_line;
    return run_pipeline(session, p);
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

int compile(const Options& o, const std::string& file, const std::function<int(Compilation&)>& body) {
    Compilation c(o, file);
    int status = kInternal;
    bool ended = false;
    try {
        status = body(c);
        if (o.verbose) list_idle_rules(c.session);
        write_trace(c.session, o);
    } catch (const TooManyErrors&) {
        ended = true;
    } catch (const Error& e) {
        // Errors that no stage placed: evaluation that ran away outside of any declaration, or a fault.
        bool users = info(e.id).code.starts_with("E5");
        c.session.report(e);
        status = users ? kInputError : kInternal;
    }
    c.show_diagnostics();
    if (ended && !o.json)
        print_error("mim: stopped after " + std::to_string(o.max_errors) + " errors; --max-errors 0 shows all\n");
    point_to_pages(c.session.diags, o);
    show_statistics(c.session, o);
    if (has_fault(c.session.diags)) return kInternal;
    if (ended) return kInputError;
    return status == kDone && c.session.diags.num_errors() != 0 ? kInputError : status;
}

} // namespace mim
