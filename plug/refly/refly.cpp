// SPDX-License-Identifier: MIT
// Registers the plugin `refly`. What it declares is in refly.mim.
#include "refly.h"

#include "ir/layout.h"
#include "refly/diagnostics.h"

/// Code lies in memory as the value of its expression does.
static bool layout_of_code(mim::World& w, const mim::Def* type, uint64_t& size, uint64_t& align) {
    auto value = mim::layout(w, mim::arg_of(type));
    if (!value) return false;
    size  = value->size;
    align = value->align;
    return true;
}

static void init(mim::PluginBuilder& p) {
    p.diagnostics(mim::plug::refly::diag::all());
    using namespace mim::plug::refly;
    register_normalizers(p);
    register_meanings(p);
    p.axiom("%refly.Code").layout(layout_of_code);
    p.axiom("%refly.Mark").erased().internal();
    p.axiom("%refly.mark").speculatable().internal();
    p.axiom("%refly.check.run").emit("llvm", emit_check);
    // A term does not show the type of its expression, so nothing would show that it holds a token.
    for (auto axiom : {"%refly.term", "%refly.untyped", "%refly.typed", "%refly.var"}) p.axiom(axiom).token_free();
    p.phase("refly.settle", "reports checks that are not decided, and makes values of code", settle);
    p.join("front", "refly.settle").before("clos.open"); // questions are about closures as the program has made them
}

MIM_PLUGIN(refly, init)
