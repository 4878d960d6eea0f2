// SPDX-License-Identifier: MIT
// Registers the plugin `direct`.
#include "driver/plugin.h"
#include "ds2cps.h"

static void init(mim::PluginBuilder& p) {
    p.phase("direct.ds2cps", "direct style to continuation-passing style", mim::plug::direct::ds2cps);
    p.join("lower", "direct.ds2cps");
}

MIM_PLUGIN(direct, init)
