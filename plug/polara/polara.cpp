// SPDX-License-Identifier: MIT
// Registers the plugin `polara`. What it declares is in polara.mim.
#include "polara.h"

#include "ainf/annexes.h"
#include "driver/plugin.h"
#include "kit/match.h"
#include "polara/annexes.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

std::optional<FrontEndProgram> read_polara(FrontEndContext& c) {
    Program program;
    Types types(program);
    if (!parse(c, program) || !infer(c, program, types)) return {};
    build(c, program, types);
    if (c.diags.num_errors()) return {};
    return MimText("");
}

namespace {

namespace a = mim::plug::ainf;

/// Each program becomes what `make` makes of its term.
void run(PhaseContext& c, const mim::Def* (*make)(World&, const mim::Def* term)) {
    auto& w  = c.world;
    auto all = w.externals.all();
    for (auto& external : all) {
        auto found = match<program>(external.lam->body());
        if (!found) continue;
        try {
            auto body   = make(w, found.arg());
            auto result = w.mut_lam(external.lam->pi());
            w.notes.copy_info(external.lam, result);
            w.set_filter(result, w.ff());
            w.set_body(result, w.subst(body, external.lam->var(), result->var()));
            w.close(std::span<Lam* const>(&result, 1));
            w.externals.replace(external.name, result);
        } catch (Error& e) { // the manager reports it
            e.rewritten = w.notes.span(external.lam);
            throw;
        }
    }
}

/// A program that is neither a list nor code yet is none of the host's.
void lower(PhaseContext& c) {
    for (auto& external : c.world.externals.all()) {
        bool is_ours = match<program>(external.lam->body()) || match<a::list>(external.lam->body());
        if (!is_ours) continue;
        c.diags.report(diag::no_code(std::string(external.name.view())), c.world.notes.span(external.lam));
    }
}

const mim::Def* normalized(World& w, const mim::Def* term) { return w.apply<program>({term->type()}, {normalize(w, term)}); }

} // namespace

} // namespace mim::plug::polara

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::polara;
    p.diagnostics(mim::plug::polara::diag::all());
    p.front_end("polara", read_polara);
    p.phase("polara.nbe", "normalizes programs of .polara files, copying what they bind",
            [](mim::PhaseContext& c) { run(c, normalized); });
    p.phase("polara.convert", "makes lists of single operations of programs of .polara files",
            [](mim::PhaseContext& c) { run(c, convert); });
    p.phase("polara.share", "makes lists of programs of .polara files, normalized, computing once what they bind",
            [](mim::PhaseContext& c) { run(c, convert_shared); });
    p.phase("polara.lower", "reports programs of .polara files, which have no code yet", lower);
    p.join("language", "polara.lower");
}

MIM_PLUGIN(polara, init)
