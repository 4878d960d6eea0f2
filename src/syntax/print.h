// SPDX-License-Identifier: MIT
// The only printer of Mim text: syntax tree to canonical text. Four spaces a level, lines broken only where a group does not
// fit, as few parentheses as the binding strengths allow. The same tree gives the same bytes, and parsing them gives the same
// tree. Works on trees the compiler makes (empty spans) as on parsed ones; neither recursive nor super-linear.
#pragma once
#include <string>

#include "syntax/ast.h"

namespace mim {

struct PrintOptions {
    bool ascii     = false; ///< `->`, `bot`, `<<` … instead of `→`, `⊥`, `«` …
    uint32_t width = 110;   ///< columns after which a group is broken
};

std::string print(const ast::Module&, PrintOptions = {});
/// One expression, without a line break at the end.
std::string print(const ast::Expr*, PrintOptions = {});
std::string print(const ast::Pattern*, PrintOptions = {});
/// One declaration with its `;`, without a line break at the end.
std::string print(const ast::Decl*, PrintOptions = {});

/// Whether the lexer reads this word as a keyword.
bool is_keyword(std::string_view);
/// Whether text can be written as a plain name (an identifier that is no keyword).
bool is_identifier(std::string_view);

} // namespace mim
