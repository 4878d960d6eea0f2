// SPDX-License-Identifier: MIT
// The place of the parser in the tokens of a text.
#pragma once
#include "front/cursor.h"
#include "syntax/token_stream.h"

namespace mim {

class Cursor : public front::BasicCursor<TokenStream> {
public:
    Cursor(FileId file, std::string_view text, LexOptions options)
        : BasicCursor(file, text, TokenStream(text, options), Tok::Eof) {}

    /// The next token opens a bracket that has a partner, which is at this position; kNone otherwise.
    uint32_t partner(uint32_t ahead = 0) const {
        auto& t = token(ahead);
        return opens(t.tok) ? t.extra : kNone;
    }
    /// The token behind the partner of the bracket that is next; Error if it has none.
    Tok after_bracket() const;
    /// A round, square or curly bracket, which knows its partner.
    static bool opens(Tok t) { return t == Tok::LParen || t == Tok::LSquare || t == Tok::LBrace; }
    /// Takes the first half of `>>`, if that is the next token.
    bool split_closer();
    /// The value of the literal that is next.
    const Literal& literal() const { return tokens().literal(token()); }
};

} // namespace mim
