// SPDX-License-Identifier: MIT
// The C++ header of a plugin's annexes, from its syntax tree alone: nothing is elaborated and no plugin is loaded, so it can be
// made before any plugin is built.
#pragma once
#include <string>
#include <string_view>

#include "syntax/ast.h"

namespace mim {

/// For `%NAME.tag(sub = alias, …)`: `enum class mim::plug::NAME::tag : uint16_t { sub = 0, alias = sub, … };` and its AnnexTraits.
/// Names that are C++ keywords get a trailing `_`. Annexes under other plugin names are left out.
std::string annex_header(const ast::Module&, std::string_view plugin);

/// Whether a plugin may have this name: letters, digits and `_`, not beginning with a digit.
bool is_plugin_name(std::string_view);

} // namespace mim
