// SPDX-License-Identifier: MIT
// A `match` as the call of a closed function, for types that mention it (in_types.h): its arms are functions, and those of two equal
// expressions are not the same. The function takes the values that the arms refer to, and then what is matched:
//
//     match u with | n: Nat => m | _: [] => 5      ▷  call (ds2cps f) (m, u)
//     lam f (m: Nat, u: Nat ∪ []) = match u with | n: Nat => m | _: [] => 5
#pragma once
#include "ir/world.h"

namespace mim::plug::direct {

/// A closed function of the value of `match`, and an argument for which it returns that. `match` must not be of type ⊥.
struct Lifted {
    const Lam* function;
    const Def* arg;
};
Lifted lift(World&, const Match* match);

} // namespace mim::plug::direct
