// SPDX-License-Identifier: MIT
// The families of diagnostics, which the first digits of Mim's own codes tell; those of a plugin are about its users' programs.
#pragma once
#include "diag/diag.h"

namespace mim {

inline bool is_of_plugin(Diag id) { return info(id).code.find('-') != std::string_view::npos; }

/// Somebody asked the graph for what has no type.
inline bool is_type_error(Diag id) { return info(id).code.starts_with("E2"); }

/// A program that has a type can be wrong in this way: it cannot be evaluated, or has no code. Any other error in a phase is the phase's fault.
inline bool is_of_program(Diag id) { return info(id).code.starts_with("E5") || is_of_plugin(id); }

} // namespace mim
