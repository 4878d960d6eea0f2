// SPDX-License-Identifier: MIT
// Registers the plugin `autodiff`. What it declares is in autodiff.mim.
#include "autodiff.h"
#include "autodiff/diagnostics.h"

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::autodiff;
    p.diagnostics(diag::all());
    register_normalizers(p);
    p.axiom("%autodiff.ad").meaning(mean_ad);
    p.axiom("%autodiff.vjp").meaning(mean_vjp);
    p.axiom("%autodiff.jvp").meaning(mean_jvp);
    p.axiom("%autodiff.rule").meaning(mean_rule);
    p.axiom("%autodiff.custom").meaning(mean_custom);
    p.axiom("%autodiff.checkpoint").meaning(mean_checkpoint);
    p.axiom("%autodiff.stop").meaning(mean_stop);
    p.axiom("%autodiff.zero").meaning(mean_zero);
    p.axiom("%autodiff.add").meaning(mean_add);
    p.axiom("%autodiff.accumulate").meaning(mean_accumulate);
    p.axiom("%autodiff.lift").meaning(mean_lift);
    p.axiom("%autodiff.lift_with").meaning(mean_lift_with);
    p.axiom("%autodiff.recorded").meaning(mean_recorded);
    p.axiom("%autodiff.array").meaning(mean_array);
    p.axiom("%autodiff.reverse").meaning(mean_reverse);
    p.axiom("%autodiff.keep").meaning(mean_keep);
    p.axiom("%autodiff.kept").meaning(mean_kept);
    p.phase("autodiff.differentiate", "makes derivatives of functions", differentiate);
    p.join("differentiate", "autodiff.differentiate");
}

MIM_PLUGIN(autodiff, init)
