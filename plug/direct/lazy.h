// SPDX-License-Identifier: MIT
// Values that are evaluated when they are needed: the axioms `Lazy`, `done`, `delay`, `force` and `fill`, one file for each of what is
// told of them: normalizers and builders (lazy.cpp), meanings for the evaluator (meaning.cpp), code (emit.cpp).
//
// A `Lazy T` is a pair {suspension, value}: without suspension (null) the value is known. A suspension lies in memory as
// {code, value, captured variables…}; its code is null once the value is there.
#pragma once
#include "direct/annexes.h"
#include "driver/plugin.h"

namespace mim::plug::direct {

const Def* make_lazy_type(World&, const Def* type); ///< %direct.Lazy T
const Def* make_done(World&, const Def* value);
const Def* make_delay(World&, delay where, const Def* code);
const Def* make_once(World&, once where, const Def* code);
const Def* make_force(World&, const Def* lazy);
const Def* make_fill(World&, const Def* code);

void register_lazy(PluginBuilder&);
void register_meanings(PluginBuilder&);
void register_emitters(PluginBuilder&);

} // namespace mim::plug::direct
