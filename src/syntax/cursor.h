// SPDX-License-Identifier: MIT
// The place of the parser in the tokens of a text. Positions count tokens from the start of the text.
#pragma once
#include <algorithm>
#include <string_view>

#include "base/source.h"
#include "syntax/token_stream.h"

namespace mim {

class Cursor {
public:
    Cursor(FileId file, std::string_view text, LexOptions options)
        : file_(file)
        , text_(text)
        , toks_(text, options) {}

    /// @name the token that is next, or one ahead of it
    ///@{
    const Token& token(uint32_t ahead = 0) const { return toks_[pos_ + ahead]; }
    Tok tok(uint32_t ahead = 0) const { return toks_[pos_ + ahead].tok; }
    bool at(Tok t) const { return tok() == t; }
    uint32_t begin() const { return toks_[pos_].begin; }
    uint32_t end() const { return toks_[pos_].end; }
    Span span() const {
        auto& t = token();
        return {file_, t.begin, t.end};
    }
    std::string_view word(uint32_t ahead = 0) const {
        auto& t = token(ahead);
        return text(t.begin, t.end);
    }
    /// The next token opens a bracket that has a partner, which is at this position; kNone otherwise.
    uint32_t partner(uint32_t ahead = 0) const {
        auto& t = token(ahead);
        return opens(t.tok) ? t.extra : kNone;
    }
    /// The token behind the partner of the bracket that is next; Error if it has none.
    Tok after_bracket() const;
    /// Whether the next token stands on a later line than the last one.
    bool at_line_start() const { return text(last_end_, begin()).find('\n') != text_.npos; }
    /// A round, square or curly bracket, which knows its partner.
    static bool opens(Tok t) { return t == Tok::LParen || t == Tok::LSquare || t == Tok::LBrace; }
    ///@}

    /// @name the token before it
    ///@{
    Tok last() const { return last_; }
    uint32_t last_end() const { return last_end_; }
    /// From this offset in the text to the end of the last token.
    Span span_from(uint32_t begin) const { return {file_, begin, std::max(begin, last_end_)}; }
    ///@}

    /// @name moving on
    ///@{
    void next();
    /// Moves on if the next token is this one.
    bool accept(Tok t) {
        if (!at(t)) return false;
        next();
        return true;
    }
    /// Takes the first half of `>>`, if that is the next token.
    bool split_closer();
    uint32_t pos() const { return pos_; }
    /// The last token stays the one before the move.
    void move_to(uint32_t pos) { pos_ = pos; }
    /// Goes back to a token that was read: the last one ends at this offset of the text.
    void move_back(uint32_t pos, uint32_t last_end);
    void move_to_end() { pos_ = toks_.last(); }
    ///@}

    /// @name the text
    ///@{
    FileId file() const { return file_; }
    std::string_view text() const { return text_; }
    std::string_view text(uint32_t begin, uint32_t end) const { return text_.substr(begin, end - begin); }
    /// The value of the literal that is next.
    const Literal& literal() const { return toks_.literal(token()); }
    TokenStream& tokens() { return toks_; }
    const TokenStream& tokens() const { return toks_; }
    ///@}

private:
    FileId file_;
    std::string_view text_;
    TokenStream toks_;
    uint32_t pos_      = 0;
    uint32_t last_end_ = 0; ///< where the last token ended
    Tok last_          = Tok::Eof;
};

} // namespace mim
