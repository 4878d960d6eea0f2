// SPDX-License-Identifier: MIT
// Registers the plugin `autodiff`. What it declares is in autodiff.mim.
#include "autodiff.h"
#include "autodiff/diagnostics.h"

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::autodiff;
    p.diagnostics(diag::all());
    register_normalizers(p);
    p.phase("autodiff.differentiate", "makes derivatives of functions", differentiate);
    p.join("differentiate", "autodiff.differentiate");
}

MIM_PLUGIN(autodiff, init)
