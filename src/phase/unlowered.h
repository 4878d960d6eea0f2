// SPDX-License-Identifier: MIT
// Operations that will never have code. Only a back end knows what has none, but a phase between may stumble over one that takes functions:
// it changes functions, and the type of an axiom stays. Then the user must mend the operation, and the phase's error would mislead.
#pragma once
#include <span>
#include <string_view>

#include "phase/manager.h"

namespace mim {

/// Whether one of the arguments of this application, which may be partial, is or holds a function.
bool takes_function(const Def* app);
/// An operation that takes a function, has no code for the target, and that none of these steps replaces, as far as can be told: they have no
/// phase of its plugin, and do not apply rules. Null if there is none.
const Def* find_unlowered(World&, std::string_view target, std::span<const Step> rest);

} // namespace mim
