// SPDX-License-Identifier: MIT
// Opens the library of a plugin and connects what it registers with what its .mim file declares. The descriptors are complete
// before the .mim file is elaborated, so its axioms are normalized from the first use on.
#pragma once
#include <string>
#include <vector>

#include "base/symbol.h"
#include "diag/diag.h"
#include "driver/annexes.h"
#include "driver/registry.h"
#include "phase/settings.h"

namespace mim {

struct LoaderContext {
    Registry& registry;
    SymbolTable& symbols;
    Diagnostics& diags;
    Settings& settings;
    const std::vector<SettingText>& given; ///< of --set
};

/// Declares the axioms of the plugin's .mim file and fills their descriptors from the library `so_path`; an empty path means that
/// the plugin has none, which is fine if it names no normalizers. `at` is where the plugin was asked for. False if an error was
/// reported that makes the plugin unusable.
bool connect_plugin(LoaderContext&, const std::string& name, const std::string& so_path, const AnnexTable&, Span at);

} // namespace mim
