// SPDX-License-Identifier: MIT
// The tokens of a text, lexed as the parser gets to them and forgotten behind it, so that a large file never has all of its
// tokens in memory. Positions count from the start of the text and stay valid until their tokens are dropped.
#pragma once
#include "syntax/lexer.h"

namespace mim {

class TokenStream {
public:
    TokenStream(std::string_view text, LexOptions options)
        : lexer_(text, options) {
        fill();
    }

    /// The token at this position; behind the end of the text, Eof.
    const Token& operator[](size_t i) const {
        while (i - base_ >= lexed().tokens.size())
            if (!fill()) return lexed().tokens.back();
        return lexed().tokens[i - base_];
    }
    Token& operator[](size_t i) { return const_cast<Token&>(std::as_const(*this)[i]); }
    /// The position of Eof; reads all that is left.
    uint32_t last();
    /// The value of a literal token.
    const Literal& literal(const Token& t) const { return lexed().literals[t.extra - literal_base_]; }
    std::string_view bytes(const Literal& string) const {
        return std::string_view(lexed().bytes).substr(string.value, string.size);
    }
    /// The `///` comments so far.
    const std::vector<Comment>& comments() const { return lexed().comments; }
    /// The lexer's errors so far.
    std::vector<LexError>& errors() { return lexer_.result().errors; }
    /// Forgets the tokens in front of this position if that is worth it.
    void drop(uint32_t before);

private:
    const LexResult& lexed() const { return lexer_.result(); }
    bool fill() const;

    mutable Lexer lexer_;
    uint32_t base_         = 0; ///< the position of the first token that is kept
    uint32_t literal_base_ = 0; ///< how many literals were dropped
};

} // namespace mim
