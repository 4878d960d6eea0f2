// SPDX-License-Identifier: MIT
// Functions of one style as functions of the other: the axioms `cps2ds_dep` and `ds2cps_dep`. They say how a function is called, not
// what it is: once all functions are continuations (ds2cps.h) both are the identity.
#pragma once
#include "direct/annexes.h"
#include "driver/plugin.h"

namespace mim::plug::direct {

/// The function of the other style that def is made of, else null.
const Def* isa_restyled(const Def* def);
/// Whether def is a function in continuation-passing style that may be called in direct style.
bool is_cps2ds(const Def* def);

void register_styles(PluginBuilder&);

} // namespace mim::plug::direct
