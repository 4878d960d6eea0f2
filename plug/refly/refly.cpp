// SPDX-License-Identifier: MIT
// Registers the plugin `refly`. What it declares is in refly.mim.
#include "refly.h"

static void init(mim::PluginBuilder& p) {
    using namespace mim::plug::refly;
    register_normalizers(p);
    register_meanings(p);
    p.axiom("%refly.check.run").emit("llvm", emit_check);
    // A term does not show the type of its expression, so nothing would show that it holds a token.
    for (auto axiom : {"%refly.term", "%refly.untyped", "%refly.typed", "%refly.var"}) p.axiom(axiom).token_free();
    p.phase("refly.settle", "reports checks that are not decided, and makes values of code", settle);
    p.join("front", "refly.settle");
}

MIM_PLUGIN(refly, init)
