// SPDX-License-Identifier: MIT
// Calls of compiled programs in this process, and the C functions that programs call.
#pragma once
#include <cstdint>
#include <string>

#include "eval/eval.h"
#include "gen.h"

namespace agree {

/// Calls of `agree_trace` and `agree_next` in their order, and those of the other functions in any order: tokens that
/// have nothing to do with each other say nothing about it. The same for the evaluator and for machine code.
uint64_t effects();
/// How many more tokens are opened than closed.
int64_t open_tokens();
void forget_effects();

/// The same C functions for the evaluator.
void add_hosts(mim::eval::Machine&);

/// Calls fn; nothing, or how it ended: `trap`, `signal N`, `time is up`.
std::string call_native(void* fn, const Input&, uint64_t& result);

} // namespace agree
