// SPDX-License-Identifier: MIT
// The command line as the back end sees it.
#pragma once
#include "backend/backend.h"
#include "driver/options.h"

namespace mim {

/// Everything but the files.
backend::EmitOptions emit_options(const Options&);

/// Where the output of this kind goes: the -o that was given (with the kind's suffix if there are several), or a name made from
/// that of the input, in the current folder.
std::string output_path(const Options&, Emit kind);
/// The same for an output of a plugin.
std::string output_path(const Options&, std::string_view suffix);

} // namespace mim
