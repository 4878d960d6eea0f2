// SPDX-License-Identifier: MIT
// The phases that come with Mim itself. They name no axiom: what they do follows from rules, descriptors and the calculus alone.
#pragma once
#include <vector>

#include "phase/phase.h"

namespace mim::opt {

/// All of them, in no particular order; a pipeline names them like any other phase.
std::vector<Phase> phases();

/// Applies the `norm`s to what was built before their declaration, so that no program contains something that they rewrite.
void apply_norms(PhaseContext&);
/// Applies `rule`s until none fires, in terms and in the types that mention them alike. `norm`s need no phase.
void apply_rules(PhaseContext&);
/// λ x = f x becomes f: a call whose continuation only forwards is a tail call afterwards.
void eta_reduce(PhaseContext&);
/// Drops parameters that nothing needs, and what computes their arguments.
void drop_dead(PhaseContext&);
/// A call of a function that is called nowhere else, or costs no more than its call, becomes its body.
void inline_calls(PhaseContext&);
/// Functions that take types get a copy for each list of types that they are called with.
void monomorphize(PhaseContext&);
/// Calls with known functions and types get a copy of the callee for these.
void specialize(PhaseContext&);
/// Functions that call themselves last become loops.
void find_loops(PhaseContext&);
/// Parameters that are the same on all calls become that value, return continuations included; those that are equal on
/// all calls become one.
void propagate_constants(PhaseContext&);
/// Tuples among arguments become arguments.
void flatten(PhaseContext&);
/// Calls of one of several functions, and matches on one of several values, become branches.
void branch_on_choices(PhaseContext&);
/// Branches whose outcome is known or does not matter.
void simplify_branches(PhaseContext&);
/// From here on code is emitted: what is not known by now never will be, so normalizers that waited to know more decide.
void finish(PhaseContext&);

} // namespace mim::opt
