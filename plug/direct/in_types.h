// SPDX-License-Identifier: MIT
// Calls, choices and `match`es that types mention: `Idx (f n)`, `«(n, 8)#b; T»`, `⦃f n⦄`. Control cannot go to where a type
// is, and the value must be the same expression in the types and in the operations that take it. So they become the axioms
// `call` and `choose`, wherever they stand, before the rest becomes continuations:
//
//     f a           ▷  call (ds2cps f) a
//     (a, b)#i      ▷  choose ((a, b), i)
//     match u with  ▷  call (ds2cps f) u      where f is a closed function (lift.h)
//
// In code, both are evaluated by need (Axiom::ByNeed): a size is seldom asked for, and a choice evaluates one element only.
#pragma once
#include "direct/annexes.h"
#include "driver/plugin.h"
#include "phase/phase.h"

namespace mim::plug::direct {

void evaluate_in_types_by_need(PhaseContext&);

void register_in_types(PluginBuilder&);

} // namespace mim::plug::direct
