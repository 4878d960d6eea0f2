// SPDX-License-Identifier: MIT
// Code for checks at run time: with --checked a trap, else what LLVM may assume.
#include "backend/emit.h"

#include "refly.h"

namespace mim::plug::refly {

backend::Value emit_check(backend::Emit& e, const Def* app) {
    auto arg  = app->as<App>()->arg();
    auto cond = e.elem(arg, 0);
    if (e.checked()) {
        auto text = text_of(e.world(), group(app->as<App>()->callee()), e.world().extract(arg, 2));
        e.trap_if(e.not_(cond), app, "the check `" + text.value_or("…") + "` failed");
    } else {
        e.intrinsic("llvm.assume", {}, {cond});
    }
    return e.elem(arg, 1);
}

} // namespace mim::plug::refly
