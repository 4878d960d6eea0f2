// SPDX-License-Identifier: MIT
// The host sees a program as a function of its sizes. The signature has its types
// (runtime/program.h of the plugin `cli`).
#pragma once
#include <string>

#include "ir/world.h"
#include "types.h"

namespace mim::plug::rise {

/// The function `main`, which reads arguments from the command line and prints the result; or is only shown, by outputs of plugins.
void add_main(World&, const Lam* program, const std::string& signature, bool is_shown);

/// The function that others call by the program's name, as the one in C is called:
///
///     NAME: Fn [%mem.M, results, sizes, arguments] → [%mem.M, I32]
///
/// Results and arrays are pointers to their first elements, scalars are values; a pair is its parts. It returns 0, or 1 if
/// a fact of the program does not hold for the sizes.
void add_function(World&, const Lam* program, const std::string& signature);

/// Whether an array somewhere in a type has pairs with arrays, which have no place in memory of the host.
bool has_nested_pairs(Types&, Type*);

} // namespace mim::plug::rise
