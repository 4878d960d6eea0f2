// SPDX-License-Identifier: MIT
// `mim fmt`: text to canonical text, comments kept. format(format(x)) == format(x), and the result parses to the same tree.
// Also reads the older 0.1 dialect (`.lam`, `Π`, `.[s: .Nat]`), which comes out as today's Mim.
#pragma once
#include <optional>
#include <string>

#include "base/source.h"
#include "diag/diag.h"

namespace mim {

/// The canonical text of a file; nothing if it has syntax errors, which are then in `diags`.
std::optional<std::string> format(FileId file, SourceManager& sources, Diagnostics& diags);

} // namespace mim
