// SPDX-License-Identifier: MIT
// Effects that several selections share. In `((m, mem)#b, (p, q)#b)` with `(m, p) = %mem.alloc T mem` the effect happens if b is ff, and
// both selections need it then: evaluated one after the other, each would make it happen. So the selection that the token goes through
// carries what else the effect made: with `s = ((m, p), (mem, absent))#b` this becomes `(s#0, (s#1, q)#b)`.
#pragma once
#include "uses.h"

namespace mim::plug::direct {

/// The body of a function in which more effects are below a single selection, or are needed in any case; null if this holds of all
/// effects. That an absent value is never asked for follows from the linearity of the token (linear/tokens.h). An effect whose token goes
/// through several selections of one expression is left alone: those become one first (join.h).
const Def* carry_effects(Facts& facts, Uses& uses);

} // namespace mim::plug::direct
