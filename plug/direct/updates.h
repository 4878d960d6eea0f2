// SPDX-License-Identifier: MIT
// Functional updates by need: the element that is replaced may be one that must not be evaluated.
#pragma once
#include "phase/phase.h"

namespace mim::plug::direct {

/// `ins ((a, b), i, v)`, where a or b must not be evaluated in vain, becomes `((v, a)#i, (b, v)#i)`, which is by need. Not for more than
/// 64 elements, as there are so many choices of as many elements each.
void expand_updates(PhaseContext&);

} // namespace mim::plug::direct
