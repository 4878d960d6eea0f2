// SPDX-License-Identifier: MIT
// Registers the plugin `direct`.
#include "direct/diagnostics.h"
#include "driver/plugin.h"
#include "ds2cps.h"
#include "in_types.h"
#include "lazy.h"
#include "style.h"

static void init(mim::PluginBuilder& p) {
    p.diagnostics(mim::plug::direct::diag::all());
    mim::plug::direct::register_styles(p);
    mim::plug::direct::register_normalizers(p);
    mim::plug::direct::register_lazy(p);
    mim::plug::direct::register_meanings(p);
    mim::plug::direct::register_emitters(p);
    mim::plug::direct::register_in_types(p);
    p.phase("direct.ds2cps", "direct style to continuation-passing style", mim::plug::direct::to_cps);
    p.join("lower", "direct.ds2cps");
}

MIM_PLUGIN(direct, init)
