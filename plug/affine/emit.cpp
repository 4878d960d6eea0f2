// SPDX-License-Identifier: MIT
// Code for the number of trips: (stop - 1 - start) / step + 1 if there are any, and nothing of it leaves 64 bits then. It may be computed
// where no loop needs it, so that it leaves loops; therefore it divides by 1 where the step is 0, which is undefined and with --checked
// a trap.
#include "backend/emit.h"

#include "affine.h"

namespace mim::plug::affine {

using enum backend::Bin;
using enum backend::Cmp;

backend::Value emit_trips(backend::Emit& e, const Def* app) {
    auto [start, stop, step] = e.elems<3>(arg_of(app));
    if (e.checked()) e.trap_if(e.cmp(Eq, step, e.i64(0)), app, "a step of 0");
    auto by   = e.intrinsic("llvm.umax", {e.type_of(step)}, {step, e.i64(1)});
    auto last = e.bin(Sub, e.bin(Sub, stop, e.i64(1), backend::NUW), start, backend::NUW);
    auto n    = e.bin(Add, e.bin(UDiv, last, by), e.i64(1), backend::NUW);
    return e.select(e.cmp(ULt, start, stop), n, e.i64(0));
}

} // namespace mim::plug::affine
