// SPDX-License-Identifier: MIT
// Plugins say what to write instead of an operator that is not declared, or that its operands do not allow
// (PluginBuilder::operator_call). The literal whose type has no known size, which stands beside an operator, counts as the operator `literal`:
// its call has `s` for the size and `n` for the number. The arguments of a note are what it is about, the call, and, if that is no operator or
// there are values to put in, the operator and the values.
#pragma once
#include "diag/diag.h"
#include "driver/manifests.h"

namespace mim {

/// Whether a note tells of an operator, and not yet of a call.
bool lacks_call(const Diagnostic&);
/// Puts the call that a plugin offers for the operator into these notes.
void name_calls(Diagnostic&, const Manifests&);

} // namespace mim
