// SPDX-License-Identifier: MIT
// A plugin that adds an extension point, within the pipeline that stage.mim declares.
#include "driver/plugin.h"

static void init(mim::PluginBuilder& p) {
    p.phase("stage.begin", "nothing", [](mim::PhaseContext&) {});
    p.phase("stage.end", "nothing", [](mim::PhaseContext&) {});
    p.extension_point("stage.middle", "looks at the program between the begin and the end");
}

MIM_PLUGIN(stage, init)
