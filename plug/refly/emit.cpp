// SPDX-License-Identifier: MIT
// Code for checks at run time: with --checked a trap, else what LLVM may assume.
#include "backend/emit.h"

#include "refly.h"

namespace mim::plug::refly {

backend::Value emit_check(backend::Emit& e, const Def* app) {
    auto [cond, result] = e.elems<2>(arg_of(app));
    if (e.checked()) {
        auto text = text_of(e.world(), group(app, 1), operand(e.world(), app, 2));
        e.trap_if(e.not_(cond), app, "the check `" + text.value_or("…") + "` failed");
    } else {
        e.intrinsic("llvm.assume", {}, {cond});
    }
    return result;
}

} // namespace mim::plug::refly
