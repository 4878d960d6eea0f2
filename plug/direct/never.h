// SPDX-License-Identifier: MIT
// Values of type ⊥. A call of a continuation has this type, for it never returns. Such a call is code that somebody goes to: what ends a
// function, or what is chosen there. It is no value that could be passed on, so it is an error where it is one.
#pragma once
#include "phase/phase.h"

namespace mim::plug::direct {

/// Reports calls of continuations that are arguments, parts of aggregates that are passed, or parts of the results of functions in direct style;
/// and functions that are not known, a type variable of which stands for ⊥. Returns whether there are none.
/// Whatever the optimizer does later, it is asked the same; so the answer does not depend on how a program is compiled.
bool check_never(PhaseContext&);

} // namespace mim::plug::direct
