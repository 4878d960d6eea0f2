// SPDX-License-Identifier: MIT
// Registers the plugin `affine`. What it declares is in affine.mim.
#include "affine.h"

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::affine;
    register_normalizers(p);
    p.axiom("%affine.trips").speculatable().may_trap().meaning(mean_trips).emit("llvm", emit_trips);
    p.axiom("%affine.For").meaning(mean_For); // lowered: no code is made for it
    p.axiom("%affine.fold").meaning(mean_fold);
    p.phase("affine.lower", "makes functions that call themselves of counted loops", lower);
    p.join("front", "affine.lower");
}

MIM_PLUGIN(affine, init)
