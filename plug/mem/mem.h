// SPDX-License-Identifier: MIT
// The parts of the plugin `mem`, one file each: normalizers (normalize.cpp), meanings for the evaluator (meaning.cpp), emitters
// (emit.cpp) and phases (phase/). The argument groups of an operation are, from the axiom outwards: the type (for lea: arity and
// types), the address space, and the operands with the token first.
#pragma once
#include "driver/plugin.h"
#include "mem/annexes.h"

namespace mim::plug::mem {

/// Group i of a saturated application of an axiom that takes three: 0 the type, 1 the address space, 2 the operands.
inline const Def* group(const Def* app, int i) {
    for (; i < 2; ++i) app = app->as<App>()->callee();
    return app->as<App>()->arg();
}

const Def* normalize_load(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_store(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_free(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_slot(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_lea(World&, const Def* type, const Def* callee, const Def* arg);

void register_meanings(PluginBuilder&);
void register_emitters(PluginBuilder&);

} // namespace mim::plug::mem
