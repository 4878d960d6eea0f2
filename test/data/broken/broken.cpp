// SPDX-License-Identifier: MIT
#include <cstdlib>

#include "broken/annexes.h"
#include "driver/plugin.h"

using namespace mim;

static const Def* normalize_wrong(const Redex& redex) { return redex.w.tt(); }
static const Def* normalize_throws(const Redex& redex) { return redex.w.app(redex.arg, redex.arg); }

static void ill_typed(PhaseContext& c) { c.world.app(c.world.tt(), c.world.tt()); }
static void crash(PhaseContext&) { std::abort(); }

static void init(PluginBuilder& p) {
    p.normalizer("normalize_wrong", normalize_wrong);
    p.normalizer("normalize_throws", normalize_throws);
    p.phase("broken.ill_typed", "builds something ill-typed", ill_typed);
    p.phase("broken.crash", "ends the process", crash);
}

MIM_PLUGIN(broken, init)
