// SPDX-License-Identifier: MIT
// The parser of one text, behind parse(): it owns its state and the parsers of each kind of text. Private to
// src/syntax.
#pragma once
#include "syntax/doc_comments.h"
#include "syntax/parse_atom.h"
#include "syntax/parse_decl.h"
#include "syntax/parse_expr.h"
#include "syntax/parse_pattern.h"
#include "syntax/parse_type.h"

namespace mim {

class Parser {
public:
    Parser(FileId, std::string_view text, SymbolTable&, Diagnostics&, ParseOptions);
    Parser(const Parser&)            = delete;
    Parser& operator=(const Parser&) = delete;

    ast::Module module();
    ast::Module single_expr();

private:
    ast::Module finish(const std::vector<const ast::Decl*>&);

    Cursor cursor_;
    ParseContext context_;
    Lookahead look_;
    ParseErrors errors_;
    TreeBuilder tree_;
    DocComments docs_;
    Grammar grammar_;
    ExprParser exprs_;
    TypeParser types_;
    AtomParser atoms_;
    PatternParser patterns_;
    DeclParser decls_;
};

} // namespace mim
