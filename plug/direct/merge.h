// SPDX-License-Identifier: MIT
// Effects that happen on some of the paths to a block before they get there:
//
//     let (m, n) = count mem;
//     (a, b)#c () where
//         con a () = d (n, 3)#e;    // looks at n, so that it happens here (early.cpp)
//         con b () = (d x, last (mem, x))#e;
//         con d (y) = last (m, y);
//
// The block d takes over what the effect made, `con d (y, (m,))`, and whoever goes there passes it on: as a Φ does in SSA form.
#pragma once
#include "uses.h"

namespace mim::plug::direct {

/// The body of a function in which more blocks take over an effect; null if none has to.
const Def* merge_effects(Facts& facts, Uses& uses);

} // namespace mim::plug::direct
