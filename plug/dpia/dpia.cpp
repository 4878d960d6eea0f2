// SPDX-License-Identifier: MIT
// Registers the plugin `dpia`: its phases and outputs. What it declares is in dpia.mim.
#include "dpia.h"

#include "backend/emit.h"
#include "dpia/annexes.h"
#include "dpia/diagnostics.h"
#include "driver/plugin.h"
#include "eval/machine.h"
#include "ir/questions.h"
#include "loops/loops.h"
#include "translate.h"

namespace mim::plug::dpia {

/// get and exp undo each other.
const Def* normalize_exp(const Redex& redex) { return cancel<get>(redex); }
const Def* normalize_get(const Redex& redex) { return cancel<exp>(redex); }

namespace {

using State = std::shared_ptr<ImperativeProgram>;

/// The call of `%rise.main` in the function that the host would start.
const Def* find_program(const Def* def, std::set<const Def*>& seen) {
    if (match<rise::main>(rise::main::shown, def)) return def;
    if (!seen.insert(def).second) return nullptr;
    if (auto app = def->isa<App>()) {
        auto result = find_program(app->arg(), seen);
        return result ? result : find_program(app->callee(), seen);
    }
    auto tuple = def->isa<Tuple>();
    if (!tuple) return nullptr;
    for (auto part : tuple->ops())
        if (auto result = find_program(part, seen)) return result;
    return nullptr;
}

std::string text_of(World& w, const Def* letters, uint64_t n) {
    std::string result;
    for (uint64_t i = 0; i != n; ++i) result += static_cast<char>(*value(elem(w, letters, i)));
    return result;
}

const Def* phrase_type(Phrases& phrases, World& w, const Def* type) {
    DefVec domain;
    for (; auto pi = type->isa<Pi>(); type = pi->codom()) domain.push_back(phrases.exp_type(pi->dom()));
    domain.push_back(phrases.acc_type(type));
    return w.pi(w.sigma(domain), phrases.comm());
}

} // namespace

Lam* imperative(World& w, const Lam* program) {
    Translator translator(w);
    auto pi     = w.mut_pi(program->dom());
    auto type   = phrase_type(translator, w, mim::codom(w, program->type()->as<Pi>(), pi->var()));
    auto result = w.mut_lam(w.seal(pi, type));
    w.notes.copy_info(program, result);
    if (auto fields = w.notes.fields(program)) w.notes.set_fields(result, *fields);
    else w.notes.copy_info(program->var(), result->var());
    w.set_filter(result, w.ff());
    w.set_body(result, translator.program(translator.body_of(program, result->var()), program));
    w.close(std::span<Lam* const>(&result, 1));
    return result;
}

namespace {

void report(PhaseContext& c, const Refused& why) {
    auto& w    = c.world;
    auto place = [&](const Def* def) { return def ? w.notes.span(def) : Span(); };
    auto at    = place(why.reader) ? place(why.reader) : place(why.where);
    switch (why.kind) {
        case Refused::NotStored: c.diags.report(diag::not_stored(why.what), at); return;
        case Refused::NoCopy: c.diags.report(diag::no_copy(why.what, why.why), at); return;
        case Refused::NoChoice: c.diags.report(diag::no_choice(why.what, why.why), at); return;
        default: c.diags.report(diag::no_code(why.what), at);
    }
}

/// The program of a `.rise` file becomes an imperative one, which the host does not start.
void make_imperative(PhaseContext& c, const State& state) {
    auto& w    = c.world;
    auto start = w.externals.find("main");
    std::set<const Def*> seen;
    auto call = start && isa_known(start) ? find_program(start->body(), seen) : nullptr;
    if (!call) return;
    auto [lam, signature] = elems<2>(w, group(call, 1));
    auto program          = lam->as<Lam>();
    auto name             = w.notes.name(program);
    state->name           = name.view().empty() ? "program" : std::string(name.view());
    state->signature      = text_of(w, signature, *value(elem(w, group(call, 0), 1)));
    try {
        auto result  = imperative(w, program);
        state->terms = program;
        w.externals.remove(w.sym("main"));
        w.externals.add(w.sym(state->name), result);
    } catch (const Refused& why) {
        report(c, why);
        w.externals.remove(w.sym("main"));
    }
}

/// Its outputs are texts: nothing is left of it for the phases that follow.
void keep_for_outputs(PhaseContext& c, const State& state) {
    auto& w      = c.world;
    auto program = state->name.empty() ? nullptr : w.externals.find(state->name);
    if (!program) return;
    state->commands = program;
    w.externals.remove(w.sym(state->name));
}

void write_shown_terms(World& w, ImperativeProgram& p) { p.shown_terms.text = show_terms(w, p.terms, p.name); }
void write_shown(World& w, ImperativeProgram& p) { p.shown.text = show(w, p.commands, p.name); }

/// The kernel, the code of the host and the header of a program with kernels are made together.
void write_open_cl(World& w, ImperativeProgram& p) {
    write_c(w, p);
    write_kernel(w, p);
    write_host(w, p);
}

std::optional<std::string> text_of(BackEndContext& c, const ProgramText& output) {
    if (auto& why = output.refused) {
        c.diags.report(diag::no_code(why->what), why->where ? c.world.notes.span(why->where) : Span());
        return {};
    }
    if (!output.text.empty()) return output.text;
    c.error("no program in RISE was read that can be called from outside");
    return {};
}

backend::Value emit_ranges(backend::Emit& e, const Def* app) {
    return e.call("mim_dpia_ranges", e.int_type(64), {e.elem(arg_of(app), 1)});
}

/// The evaluator has one thread.
eval::Value mean_ranges(eval::Machine& m, const Def*) {
    m.token(m.elems<2>(m.group(0))[0]);
    return m.tuple({eval::Value::token(), eval::Value::num(1)});
}

void init(PluginBuilder& p) {
    p.diagnostics(diag::all());
    p.axiom("%dpia.ranges").effect().internal().meaning(mean_ranges).emit("llvm", emit_ranges);
    p.library({.name             = "mim_dpia_runtime",
               .system_libraries = {"gomp"},
               .advice           = "install gcc, whose OpenMP it is",
               .plugin           = {},
               .folder           = {}});
    auto state = std::make_shared<ImperativeProgram>();
    p.phase("dpia.imperative", "makes commands of programs of .rise files", [=](PhaseContext& c) { make_imperative(c, state); });
    p.phase("dpia.verify", "refuses parallel loops whose turns meet", verify);
    p.phase("dpia.lower", "keeps commands for the outputs", [=](PhaseContext& c) { keep_for_outputs(c, state); });
    p.phase("dpia.loops", "makes loops of programs of .rise files whose every choice is made", lower_to_loops);
    p.join("language", "dpia.loops").after("dpia.lower").before("rise.lower");
    p.join("language", "dpia.imperative").after("rise.strategy").before("rise.lower");
    p.join("language", "dpia.verify").after("dpia.imperative");
    p.join("language", "dpia.lower").after("dpia.verify").before("rise.lower");
    auto output = [&](const char* name, const char* suffix, const char* summary, ProgramText ImperativeProgram::* text,
                      void (*write)(World&, ImperativeProgram&)) {
        p.back_end(name, suffix, summary, [=](BackEndContext& c) {
            if (state->commands) write(c.world, *state);
            return text_of(c, (*state).*text);
        });
    };
    output("c", ".c", "a program in RISE as C", &ImperativeProgram::code, write_c);
    output("omp", ".c", "a program in RISE as C with threads, by OpenMP", &ImperativeProgram::threads, write_threads);
    output("c-header", ".h", "the header of what `c` and `omp` are", &ImperativeProgram::header, write_open_cl);
    output("opencl", ".cl", "a program in RISE as a kernel of OpenCL", &ImperativeProgram::kernel, write_open_cl);
    output("clhost", ".c", "a program in RISE as C that starts kernels of OpenCL", &ImperativeProgram::host, write_open_cl);
    output("dpia", ".dpia", "a program in RISE with the accesses of its expressions, for people", &ImperativeProgram::shown_terms,
           write_shown_terms);
    output("imp", ".imp", "a program in RISE as an imperative one, for people", &ImperativeProgram::shown, write_shown);
    register_normalizers(p);
}

} // namespace

} // namespace mim::plug::dpia

MIM_PLUGIN(dpia, mim::plug::dpia::init)
