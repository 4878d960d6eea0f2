// SPDX-License-Identifier: MIT
// Which operation is evaluated in which blocks. The graph says what an operation needs, not where it stands; control that follows
// from "Meaning" in the specification decides:
//
// - Speculatable operations over speculatable operands are evaluated at the nearest common dominator of their uses, or above it if
//   that leaves a loop: once, but for what a loop needs in its turns and what is behind it, too.
// - All others are evaluated only on paths that ask for them: in each topmost block that does, or in a dominator from which every
//   path asks. So they may be copied to several arms, at most once per block. Effects are no exception, since tokens order them, but
//   happen once on each path: see analysis/once.h.
//
// - Operations that are evaluated by need (Axiom::ByNeed) have no place: the emitter evaluates them where they are used. Their operands
//   have none either, unless something else uses these, or they are effects or speculatable.
//
// Tuples, projections, injections and partial applications are transparent: they are evaluated where they are used.
#pragma once
#include "analysis/program.h"

namespace mim {

/// Fills `nodes` and `merges` of each block: operations in an order in which operands come first. False if some effect happens on paths that
/// do not ask for it, since there is no block where it could happen: if the function is split (Program::build), there are more.
bool schedule(Program&, Function&);

/// The expressions a block's end refers to, without continuations.
void end_uses(Program&, const Function&, const BasicBlock&, std::vector<const Def*>& out);

} // namespace mim
