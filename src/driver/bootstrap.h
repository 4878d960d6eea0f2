// SPDX-License-Identifier: MIT
// The C++ header of a plugin's annexes, from its syntax tree alone: nothing is elaborated and no plugin is loaded, so it can be
// made before any plugin is built.
#pragma once
#include <string>
#include <string_view>

#include "diag/diag.h"
#include "syntax/ast.h"

namespace mim {

/// For `%NAME.tag(sub = alias, …)`: `enum class mim::plug::NAME::tag : uint16_t { sub = 0, alias = sub, … };` and its
/// AnnexTraits, below the comment and the text of its declarations. For each normalizer that is named: its declaration,
/// and a `register_normalizers(p)` of all. Annexes under other plugin names are left out.
std::string annex_header(const ast::Module&, std::string_view plugin);

/// The name in C++: a keyword gets a trailing `_`.
std::string cpp_name(std::string_view name);

/// Whether a plugin may have this name, as `plugin NAME;` has to read it: an identifier and no keyword of Mim.
bool is_plugin_name(std::string_view);
/// Reports that it may not.
void report_plugin_name(Diagnostics&, Span at, const std::string& name);

} // namespace mim
