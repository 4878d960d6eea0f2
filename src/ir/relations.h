// SPDX-License-Identifier: MIT
// Comparisons of the same two values are one comparison. The plugin that declares them says what their subtags mean
// (Axiom::Relations).
#pragma once
#include "ir/world.h"

namespace mim {

/// `a` and `b` combined by a truth table, whose bits 3…0 are the results for (tt, tt), (tt, ff), (ff, tt) and (ff, ff):
/// one comparison, or a literal. Null unless both are comparisons of the same values by the same axiom, or one of them
/// and a literal, and unless one comparison can tell.
const Def* combine_relations(World&, unsigned truth, const Def* a, const Def* b);

/// The same of `(f, t)#index`, whose arms of type Bool are such comparisons or literals.
const Def* choose_relation(World&, const Def* index, const Def* f, const Def* t);

} // namespace mim
