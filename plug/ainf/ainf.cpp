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
    p.axiom("%ainf.nat").meaning(mean_nat);
    p.axiom("%ainf.flt").meaning(mean_flt);
    p.axiom("%ainf.unary").meaning(mean_unary);
    p.axiom("%ainf.compare").meaning(mean_compare);
    p.axiom("%ainf.plus").meaning(mean_plus);
    p.axiom("%ainf.index").meaning(mean_index);
    p.axiom("%ainf.val").meaning(mean_val);
    p.axiom("%ainf.real").meaning(mean_real);
    p.axiom("%ainf.pair").meaning(mean_pair);
    p.axiom("%ainf.fst").meaning(mean_fst);
    p.axiom("%ainf.snd").meaning(mean_snd);
    p.axiom("%ainf.tab").meaning(mean_tab);
    p.axiom("%ainf.get").meaning(mean_get);
    p.axiom("%ainf.sum").meaning(mean_sum);
    p.axiom("%ainf.fold").meaning(mean_fold);
    p.axiom("%ainf.scan").meaning(mean_scan);
    p.axiom("%ainf.app").meaning(mean_app);
    p.axiom("%ainf.ite").meaning(mean_ite);
    for (auto frame : {"%ainf.of", "%ainf.each"}) p.axiom(frame).meaning(mean_frame);
    p.axiom("%ainf.turn").meaning(mean_turn);
    p.axiom("%ainf.bind").meaning(mean_bind);
    p.axiom("%ainf.list").meaning(mean_list).verifier(verify_list);
    p.axiom("%ainf.main").effect().meaning(mean_main);
    p.axiom("%ainf.call").effect().meaning(mean_call);
    p.axiom("%ainf.open").effect().internal().emit("llvm", emit_open);
    p.axiom("%ainf.size").effect().internal().emit("llvm", emit_size);
    p.axiom("%ainf.leaf").effect().internal().emit("llvm", emit_leaf);
    p.axiom("%ainf.close").effect().internal().emit("llvm", emit_close);
    p.axiom("%ainf.fits").effect().internal().emit("llvm", emit_fits);
    p.library({.name = "mim_ainf_runtime", .system_libraries = {}, .advice = "build the plugin", .plugin = {}, .folder = {}});
    p.back_end("ainf", ".ainf", "lists as text, a line for each binding", make_text);
}

MIM_PLUGIN(ainf, init)
