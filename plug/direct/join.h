// SPDX-License-Identifier: MIT
// Selections that share tokens. An effect of two tokens, `(n, k) = f (m, l)`, may happen by way of two selections, `(n, m)#b` and `(k, l)#b`,
// and a token may be in different arms of two, `(m, l)#b` and `(l, m)#b`. Branches one after the other do not know what the first one
// chose; so the selections become one, `((n, k), (m, l))#b`, together with what lies between them if one depends on the other.
#pragma once
#include "uses.h"

namespace mim::plug::direct {

/// The body of a function in which two selections fewer share tokens; null if none do. Selections count if one context needs both in
/// any case; in others tokens come from parameters, or end.
const Def* join_selections(Facts& facts, Uses& uses);

} // namespace mim::plug::direct
