// SPDX-License-Identifier: MIT
// `mim bootstrap libmim_NAME.so`: the manifest of a plugin, from its library.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "driver/options.h"

namespace mim {

/// Whether the file that `mim bootstrap` gets is a library.
bool is_library_name(std::string_view path);
/// Writes the manifest beside the library, or where -o says. False after a report.
bool bootstrap_library(Diagnostics&, const Options&);

} // namespace mim
