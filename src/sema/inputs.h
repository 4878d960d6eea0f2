// SPDX-License-Identifier: MIT
// The number of inputs of a function of several, `{n: Nat, Ts: «n; *»} [f: [«i: n; Ts#i»] → U] [is: «i: n; «m;
// Ts#i»»]`: a pair that `f` takes may be two inputs, or one that is a pair. Each argument has a number of elements;
// where these differ, or the elements do, and all arguments fit a function of one input, it is one.
#pragma once
#include <span>
#include <vector>

#include "ir/world.h"
#include "sema/result.h"

namespace mim {

/// Those of the implicit arguments of a function of type `pi` that are numbers of inputs and can only be 1 if it is
/// applied to these arguments.
std::vector<uint64_t> numbers_that_are_one(World&, const Pi* pi, std::span<const Arg> args);

} // namespace mim
