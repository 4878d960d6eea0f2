// SPDX-License-Identifier: MIT
// Programs that the evaluator runs with arguments: those of the command line, or those of a function in C. A plugin that has
// such programs gives these to its axioms as their meanings.
#pragma once
#include "eval/machine.h"

namespace mim::plug::cli {

/// The elements of an array of this length.
eval::Values elements(eval::Machine&, const eval::Value& array, uint64_t n);

/// The meaning of `{P: *, s: Nat} [program: P, signature: «s; I8»] [mem: %mem.M, argc: I32, argv: %mem.Ptr (%mem.Ptr I8)]`:
/// calls the program, a function of its sizes, with what the command line says, and prints its result.
eval::Value run_main(eval::Machine&, const Def* app);

/// The meaning of `{P: *, s: Nat, A R: *} [program: P, signature: «s; I8»] [arguments: A]`: a call by others. The arguments
/// are the token, the sizes, and the leaves of the program's arguments, numbers, and pointers to the elements of arrays. One
/// number as a result comes back with the token, all else is stored where the last arguments point.
eval::Value run_call(eval::Machine&, const Def* app);

} // namespace mim::plug::cli
