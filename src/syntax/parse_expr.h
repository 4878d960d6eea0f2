// SPDX-License-Identifier: MIT
// Expressions by binding strength, weakest first; chains are loops.
//
//   expr    ::= d* arrow (where d… end)*              (where belongs to the declarations before it)
//   arrow   ::= (domain →?)* inj | Cn … | Fn …        (parse_type.h)
//   inj     ::= ops (inj (@ join)? ops)*
//   ops     ::= operand (op operand)*                   (by strength, each from the left; comparisons do not chain)
//   operand ::= (- | !)* app
//   app     ::= join (join | @ join)*
//   join    ::= extract (∪ extract)*
//   extract ::= atom (# atom)*                          (atoms: parse_atom.h)
#pragma once
#include "syntax/parser_base.h"

namespace mim {

class ExprParser : ParserBase {
public:
    explicit ExprParser(const Grammar& grammar)
        : ParserBase(grammar) {}

    const ast::Expr* expr();
    const ast::Expr* inj();
    const ast::Expr* extract();
    /// Whether declarations begin here that belong to an expression, as `let x = e; e`.
    bool starts_statement() const;
    /// Cuts the expression that was read last at the end of its line, if what follows it must be the value of the
    /// block: `let x = e⏎ y }`. The position is at the start of the next line then.
    bool split_line(const ast::Expr*&);

private:
    struct Operand;
    const ast::Expr* operations();
    Operand operand();
    const ast::Expr* operation(Span op, Operand left, Operand right);
    const ast::Expr* misplaced_prefix(const Operand& left);
    const ast::Expr* app();
    bool at_bare_pack();
    const ast::Expr* join();
    const ast::Expr* bare_block();
    const ast::Expr* wheres(uint32_t begin, const ast::Expr* body);
    void where_decls(std::vector<const ast::Decl*>&);

    /// The last application that goes on behind a line break, and its part up to there.
    struct Split {
        const ast::Expr *whole = nullptr, *line = nullptr;
        uint32_t next = 0; ///< the first token of the next line
    };
    Split split_;
};

} // namespace mim
