// SPDX-License-Identifier: MIT
// An order of nodes by what they look like, for whatever has no order of its own: members of a union, operands of commutative
// operations. Programs that are printed and read again, or compiled apart, get the same order, which one by ids would not give.
#pragma once
#include "ir/def.h"

namespace mim {

/// Below, equal or above 0; 0 only for the same node. Literals come first and applications last. Variables are ordered by their binders'
/// age: those further out come first. Only what looks alike for many nodes, or differs in nothing but functions, is ordered by its own id.
int compare(const Def*, const Def*);

/// A hash of what it looks like, down to some nodes: that of equal ones is equal.
uint32_t looks(const Def*);

} // namespace mim
