// SPDX-License-Identifier: MIT
// Code for the number of trips: (stop - 1 - start) / step + 1 if there are any, and nothing of it leaves 64 bits then. It may be computed
// where no loop needs it, so that it leaves loops; therefore it divides by 1 where the step is 0, which is undefined and with --checked
// a trap.
#include "backend/emit.h"

#include "affine.h"

namespace mim::plug::affine {

using backend::Bin;
using backend::Cmp;

backend::Value emit_trips(backend::Emit& e, const Def* app) {
    auto range = app->as<App>()->arg();
    auto start = e.elem(range, 0), stop = e.elem(range, 1), step = e.elem(range, 2);
    if (e.checked()) e.trap_if(e.cmp(Cmp::Eq, step, e.i64(0)), app, "a step of 0");
    auto by   = e.intrinsic("llvm.umax", {e.type_of(step)}, {step, e.i64(1)});
    auto last = e.bin(Bin::Sub, e.bin(Bin::Sub, stop, e.i64(1), backend::NUW), start, backend::NUW);
    auto n    = e.bin(Bin::Add, e.bin(Bin::UDiv, last, by), e.i64(1), backend::NUW);
    return e.select(e.cmp(Cmp::ULt, start, stop), n, e.i64(0));
}

} // namespace mim::plug::affine
