// SPDX-License-Identifier: MIT
// A plugin whose phases run in the pipeline of another one, where that is loaded.
#include "driver/plugin.h"

static void init(mim::PluginBuilder& p) {
    p.phase("guest.count", "nothing", [](mim::PhaseContext&) {});
    p.phase("guest.mark", "nothing", [](mim::PhaseContext&) {});
    p.join("stage.middle", "guest.count");
    p.join("stage.middle", "guest.mark").before("guest.count"); // marks are counted, too
}

MIM_PLUGIN(guest, init)
