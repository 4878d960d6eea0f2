// SPDX-License-Identifier: MIT
// Registers the plugin `polara`. What it declares is in polara.mim.
#include "polara.h"

#include "ainf/annexes.h"
#include "ainf/list/builder.h"
#include "ainf/list/programs.h"
#include "driver/plugin.h"
#include "eval/machine.h"
#include "kit/match.h"
#include "polara/annexes.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

std::optional<FrontEndProgram> read_polara(FrontEndContext& c) {
    Program program;
    Types types(program);
    if (!parse(c, program, types) || !infer(c, program, types)) return {};
    build(c, program, types);
    if (c.diags.num_errors()) return {};
    return MimText("");
}

namespace {

namespace a = mim::plug::ainf;

/// The result of `make` for the term of a program; nothing if it is none.
template<class Result>
std::optional<Result> made_of(World& w, const mim::Def* body, Span place, Result (*make)(World&, const mim::Def* term)) {
    auto found = match<program>(body);
    if (!found) return {};
    try {
        return make(w, found.arg());
    } catch (Error& e) { // the manager reports it
        e.rewritten = place;
        throw;
    } catch (const a::TooLarge& e) {
        Error error(diag::too_large(e.most, e.what));
        error.rewritten = place;
        throw error;
    }
}

void make_lists(PhaseContext& c, a::List (*make)(World&, const mim::Def* term)) {
    a::replace_by_lists(c, [&](const mim::Def* body, Span place) { return made_of(c.world, body, place, make); });
}

/// A program that nothing calls is none of the host's.
void lower(PhaseContext& c) {
    for (auto& external : c.world.externals.all()) {
        bool is_ours = match<program>(external.lam->body()) || match<a::list>(external.lam->body());
        if (!is_ours) continue;
        c.diags.report(diag::no_code(std::string(external.name.view())), c.world.notes.span(external.lam));
    }
}

const mim::Def* normalized(World& w, const mim::Def* term) { return w.apply<program>({term->type()}, {normalize(w, term)}); }

void normalize_all(PhaseContext& c) {
    auto made = [&](auto body, Span place) { return made_of(c.world, body, place, normalized).value_or(nullptr); };
    a::replace_programs(c, made);
}

eval::Value mean_bind(eval::Machine& m, const mim::Def*) {
    auto value = m.force(m.group(1));
    return m.call(m.force(m.group(2)), value);
}

eval::Value mean_ite(eval::Machine& m, const mim::Def*) {
    auto [c, holds, fails] = m.elems<3>(m.group(1));
    bool is_true           = m.num(c) != 0;
    return m.force(is_true ? holds : fails);
}

eval::Value mean_program(eval::Machine& m, const mim::Def*) { return m.force(m.group(1)); }

} // namespace

} // namespace mim::plug::polara

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::polara;
    p.diagnostics(mim::plug::polara::diag::all());
    p.front_end("polara", read_polara);
    p.phase("polara.nbe", "normalizes programs of .polara files, copying what they bind", normalize_all);
    p.phase("polara.convert", "makes lists of single operations of programs of .polara files",
            [](mim::PhaseContext& c) { make_lists(c, convert); });
    p.phase("polara.share", "makes lists of programs of .polara files, normalized, computing once what they bind",
            [](mim::PhaseContext& c) { make_lists(c, convert_shared); });
    p.phase("polara.lower", "reports programs of .polara files, which have no code yet", lower);
    p.join("language", "polara.share").before("ainf.improve");
    p.join("language", "polara.lower").after("polara.share");
    p.axiom("%polara.bind").meaning(mean_bind);
    p.axiom("%polara.ite").meaning(mean_ite);
    p.axiom("%polara.program").meaning(mean_program);
}

MIM_PLUGIN(polara, init)
