// SPDX-License-Identifier: MIT
// Decisions of the parser that take a look at several tokens, so that nothing is read twice.
#pragma once
#include <initializer_list>
#include <set>

#include "syntax/cursor.h"
#include "syntax/parse.h"
#include "syntax/parse_context.h"

namespace mim {

class Lookahead {
public:
    Lookahead(const Cursor& cursor, const ParseContext& context, Dialect dialect)
        : cursor_(cursor)
        , context_(context)
        , dialect_(dialect) {}

    bool starts_decl(uint32_t ahead = 0) const { return cursor_.tok(ahead) <= Tok::K_plugin || is_op(ahead); }
    /// Whether a declaration in front of an expression starts here. One that stands at the top level only, at the start of a line, belongs
    /// there: the expression before it is missing.
    bool starts_statement() const { return (starts_decl() && !is_top_level_line() && !is_misused()) || is_ret(); }
    /// Whether an argument may start here. `Cn`, `Fn` and `match` need parentheses as arguments, and so do a domain
    /// `{…}` and what starts with an operator.
    bool starts_atom() const;
    /// `ret` starts a statement if a pattern and `=` follow; anywhere else it is a name.
    bool is_ret() const;
    /// `op` starts a declaration if an operator and parameters follow; anywhere else it is a name.
    bool is_op(uint32_t ahead) const;
    bool is_name(uint32_t ahead = 0) const { return tok(ahead) == Tok::Ident || tok(ahead) == Tok::Underscore; }

    /// @name operators
    ///@{
    /// Whether the next token stands between two operands: the last one ends one. `*`, `<` and `>` mean something else
    /// unless another operand follows.
    bool is_infix() const;
    /// Whether a sign is next that belongs to the number behind it: no operand is in front of it.
    bool is_signed_number() const;
    /// Whether the `<` that is next opens a pack in ASCII, which as an argument stands in brackets: its `;` and `>` follow.
    bool is_bare_pack() const;
    ///@}

    /// @name brackets
    ///@{
    /// Whether `{` opens an implicit group here: it does unless a declaration follows.
    bool at_group() const;
    /// Whether a domain in brackets starts here, rather than a tuple type that is an operand.
    bool at_domain() const;
    /// `{ e }`, and the expression ends behind it, as behind a block: the braces are too many.
    bool at_braced_value() const;
    /// Whether an arm starts with a label here, rather than with a pattern: a name in front of another pattern, or one with a dot.
    bool at_label() const;
    /// Whether `A.b`, two names joined by a dot, is here.
    bool at_qualified() const { return at(Tok::Ident) && tok(2) == Tok::Ident && dotted() == cursor_.pos() + 3; }
    /// Whether an element of round or square brackets is a pattern rather than a type.
    bool is_pattern_ahead(bool square) const;
    ///@}

    /// @name typical mistakes
    ///@{
    /// The `{` of `for … { … }`, `while … { … }` or `if … { … }`, if the next token is its first word and no declaration
    /// follows the brace; else 0.
    uint32_t body_of_statement() const;
    /// The next `{` of this declaration, a few tokens ahead at most; 0: there is none.
    uint32_t next_brace() const;
    /// Declarations, each up to its `;`, and then an expression: a block without braces.
    bool is_bare_block() const;
    /// `a.b`: the position behind the last of the names that dots join here; that of the cursor if there are none.
    uint32_t dotted() const;
    /// Whether the token is a word of the language, `top` and `bot` among them.
    bool is_reserved(uint32_t ahead = 0) const;
    /// A word of the language where a name belongs, as what follows it tells.
    bool is_keyword_as_name(std::initializer_list<Tok> followers) const;
    /// From now on, the word that is next is one that the text takes for a name.
    void note_misuse() { misused_.insert(tok()); }
    /// Whether the word that is next was taken for a name before, and is used as one here.
    bool is_misused() const;
    ///@}

private:
    Tok tok(uint32_t ahead = 0) const { return cursor_.tok(ahead); }
    bool at(Tok t) const { return cursor_.at(t); }
    bool has_statement() const;
    bool is_top_level_line() const;
    /// `<<` of another language, which no `>>` follows.
    bool is_shift() const;
    bool is_word(uint32_t ahead, std::string_view) const;
    bool is_ascii(uint32_t ahead, char) const;
    bool is_between(uint32_t ahead) const;
    bool starts_operand(uint32_t ahead) const;

    const Cursor& cursor_;
    const ParseContext& context_;
    Dialect dialect_;
    std::set<Tok> misused_; ///< words of the language that the text took for names
};

} // namespace mim
