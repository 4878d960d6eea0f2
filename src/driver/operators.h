// SPDX-License-Identifier: MIT
// Mim has no operators; what to write instead, plugins say (PluginBuilder::operator_call).
#pragma once
#include "diag/diag.h"
#include "driver/manifests.h"

namespace mim {

/// Whether a note tells of an operator, and not yet of a call.
bool lacks_call(const Diagnostic&);
/// Puts the call that a plugin offers for the operator into these notes.
void name_calls(Diagnostic&, const Manifests&);

} // namespace mim
