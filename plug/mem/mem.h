// SPDX-License-Identifier: MIT
// The parts of the plugin `mem`, one file each: normalizers (normalize.cpp), meanings for the evaluator (meaning.cpp), emitters
// (emit.cpp) and phases (phase/). The argument groups of an operation are, from the axiom outwards: the type (for lea: arity and
// types), the address space, and the operands with the token first.
#pragma once
#include "driver/plugin.h"
#include "kit/match.h"
#include "mem/annexes.h"

namespace mim::plug::mem {

void register_meanings(PluginBuilder&);
void register_emitters(PluginBuilder&);

} // namespace mim::plug::mem
