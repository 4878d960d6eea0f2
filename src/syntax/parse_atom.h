// SPDX-License-Identifier: MIT
// Atoms: literals, names, everything in brackets, and the forms that start with a word. Lambdas, `match` and `Cn`/`Fn`
// reach as far to the right as they can.
#pragma once
#include "syntax/parser_base.h"

namespace mim {

class AtomParser : ParserBase {
public:
    explicit AtomParser(const Grammar& grammar)
        : ParserBase(grammar) {}

    const ast::Expr* atom();
    /// Moves behind names joined by dots, up to this position, whose dots are errors of the lexer that need no report.
    void skip_dotted(uint32_t end);
    /// Reports names joined by dots, which are one mistake, and moves behind them.
    const ast::Expr* dotted_name(uint32_t end);
    const ast::Expr* foreign_statement(uint32_t opener);
    /// `x`, or `A.b`, which is one name.
    ast::Binder qualified_name();

private:
    const ast::Expr* name();
    const ast::Expr* prim(ast::PrimKind);
    const ast::Expr* number();
    const ast::Expr* index();
    const ast::Expr* floating(uint32_t first, Tok before);
    const ast::Expr* signed_number();
    const ast::Expr* string();
    const ast::Expr* tuple();
    const ast::Expr* tuple_type();
    const ast::Expr* block();
    const ast::Expr* bare_block();
    void report_dotted(std::string_view text, Span);
    void statement(uint32_t opener, const ast::Expr*);
    bool is_foreign_let(const ast::Expr*);
    const ast::Expr* sequence(Tok close);
    const ast::Expr* singleton();
    const ast::Expr* lambda();
    const ast::Expr* sort();
    const ast::Expr* insert();
    const ast::Expr* match();
    const ast::Expr* arm_value();
};

} // namespace mim
