// SPDX-License-Identifier: MIT
#include "backend/emit.h"
#include "ainf.h"
#include "kit/match.h"

namespace mim::plug::ainf {

static backend::Value emit_fits(backend::Emit& e, const Def* app) {
    auto less = e.elem(arg_of(app), 1), more = e.elem(arg_of(app), 2);
    if (e.checked()) e.trap_if(e.cmp(backend::Cmp::ULt, more, less), app, "a negative size");
    return {};
}

void add_emitters(PluginBuilder& p) { p.axiom("%ainf.fits").effect().internal().emit("llvm", emit_fits); }

} // namespace mim::plug::ainf
