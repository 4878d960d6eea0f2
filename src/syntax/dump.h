// SPDX-License-Identifier: MIT
// The syntax tree as one line of nested lists, for tests and for `equal`: independent of the printer, without spans.
#pragma once
#include <string>

#include "syntax/ast.h"

namespace mim {

std::string dump(const ast::Module&);
std::string dump(const ast::Expr*);
std::string dump(const ast::Pattern*);
std::string dump(const ast::Decl*);

/// Whether two trees are the same but for their spans. They may use different symbol tables.
bool equal(const ast::Module&, const ast::Module&);

} // namespace mim
