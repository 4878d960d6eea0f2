// SPDX-License-Identifier: MIT
// The text for an exception that came out of a hook, where Mim knows whether it has thrown it itself.
#pragma once
#include <string>

#include "diag/diag.h"

namespace mim {

/// Whether --max-errors is reached, so that the next error ends the run.
bool is_full(const Diagnostics&);

/// To be called in the handler of an exception that came out of a plugin's code: the text for it. Three
/// exceptions are thrown again: these diagnostics are full, another thread has crashed, memory is exhausted. The hook itself threw any
/// other exception that only Mim throws.
/// Null: the hook has no diagnostics of Mim's.
std::string fault_text(const Diagnostics*);

} // namespace mim
