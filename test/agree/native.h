// SPDX-License-Identifier: MIT
// Calls of compiled programs in this process, and the C functions that programs call.
#pragma once
#include <cstdint>
#include <string>

#include "eval/eval.h"
#include "gen.h"

namespace agree {

/// What calls of `agree_trace` add up to, in their order: the same for the evaluator and for machine code.
extern thread_local uint64_t effects;

/// The same C functions for the evaluator.
void add_hosts(mim::eval::Machine&);

/// Calls fn; nothing, or how it ended: `trap`, `signal N`, `time is up`.
std::string call_native(void* fn, const Input&, uint64_t& result);

} // namespace agree
