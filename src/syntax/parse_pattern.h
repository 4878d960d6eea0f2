// SPDX-License-Identifier: MIT
// Patterns and parameter groups. In round brackets a lone name binds; in square ones it is a type, and whether an
// element has a name is known from the tokens ahead (`x y:`, `(…):`, `(…) as`), so nothing is read twice.
#pragma once
#include "syntax/parser_base.h"

namespace mim {

class PatternParser : ParserBase {
public:
    explicit PatternParser(const Grammar& grammar)
        : ParserBase(grammar) {}

    /// A pattern on its own: of a `let` or a `ret`.
    const ast::Pattern* pattern();
    /// The same of an arm, which may begin with a label.
    const ast::Pattern* arm();
    /// `(p, …)`, `[p, …]` or `{p, …}`: always a TuplePattern.
    const ast::Pattern* keep_brackets(bool square);
    /// A parameter group in brackets.
    ast::Group group();
    /// The parameter groups of a function or a rule. A typed one without brackets is the last.
    ast::List<ast::Group> groups();
    /// A type, behind which `=` starts a value: `ret x = …` is not a statement there.
    const ast::Expr* type_before_assign();

    /// @name names; one without a symbol was reported
    ///@{
    ast::Binder name();
    ast::Binder name_or_annex();
    ///@}

private:
    const ast::Pattern* payload();
    const ast::Pattern* element(bool square);
    const ast::Pattern* suffix(uint32_t begin, const ast::Pattern*);
    const ast::Pattern* brackets(bool square);
    const ast::Pattern* typed(uint32_t begin, const ast::Pattern*);
    const ast::Pattern* names();
    const ast::Pattern* parameter();
    ast::Binder name_or_wildcard();
    void misuse();
};

} // namespace mim
