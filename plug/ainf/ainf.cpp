// SPDX-License-Identifier: MIT
// Registers the plugin `ainf`. What it declares is in ainf.mim.
#include "ainf.h"

#include "ainf/diagnostics.h"
#include "driver/plugin.h"

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::ainf;
    p.diagnostics(mim::plug::ainf::diag::all());
    auto pass = [&](const char* name, const char* summary, List (*run)(List)) {
        p.phase(name, summary, [run](mim::PhaseContext& c) { run_pass(c, run); });
    };
    pass("ainf.cse", "lets equal operations of lists be one, merging what they stand under", share);
    pass("ainf.simplify", "does that, and simplifies what is known of elements, parts and choices", simplify);
    pass("ainf.licm", "moves operations of lists out of loops and functions that they do not depend on", move_out);
    pass("ainf.dce", "removes operations of lists that the result does not use", remove_dead);
    pass("ainf.improve", "the passes that lists go through on the way to code", improve);
    p.join("language", "ainf.improve");
    p.phase("ainf.lower", "makes operations on tensors of lists", lower);
    p.join("language", "ainf.lower").after("ainf.improve");
    add_meanings(p);
    add_emitters(p);
    p.axiom("%ainf.list").verifier(verify_list);
    for (auto program : {"%ainf.main", "%ainf.call"}) p.axiom(program).effect();
    p.back_end("ainf", ".ainf", "lists as text, a line for each binding", make_text);
}

MIM_PLUGIN(ainf, init)
