// SPDX-License-Identifier: MIT
#include "driver/plugin.h"

#include "lark.h"

static void init(mim::PluginBuilder& p) {
    p.front_end("lark", lark::read);
    p.formatter("lark", lark::lay_out);
}

MIM_PLUGIN(lark, init)
