// SPDX-License-Identifier: MIT
// The place of a parser in the tokens of a text. Positions count tokens from the start of the text. A stream gives the token at a
// position, by `operator[]`, and the position of the last one, which ends the file, by `last()`.
#pragma once
#include <algorithm>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/span.h"
#include "front/token.h"

namespace mim::front {

template<class Stream>
class BasicCursor {
public:
    using Token = std::remove_cvref_t<decltype(std::declval<const Stream&>()[0])>;
    using Kind  = decltype(Token::tok);

    /// The stream begins with the first token of the text; `end` is the kind of the last one.
    BasicCursor(FileId file, std::string_view text, Stream stream, Kind end)
        : toks_(std::move(stream))
        , file_(file)
        , text_(text)
        , last_(end)
        , end_(end) {}

    /// @name the token that is next, or one ahead of it
    ///@{
    const Token& token(uint32_t ahead = 0) const { return toks_[pos_ + ahead]; }
    Kind tok(uint32_t ahead = 0) const { return toks_[pos_ + ahead].tok; }
    bool at(Kind t) const { return tok() == t; }
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
    /// Whether the next token stands on a later line than the last one.
    bool at_line_start() const { return text(last_end_, begin()).find('\n') != text_.npos; }
    ///@}

    /// @name the token before it
    ///@{
    Kind last() const { return last_; }
    uint32_t last_end() const { return last_end_; }
    /// From this offset in the text to the end of the last token.
    Span span_from(uint32_t begin) const { return {file_, begin, std::max(begin, last_end_)}; }
    ///@}

    /// @name moving on
    ///@{
    void next() {
        auto& t   = token();
        last_     = t.tok;
        last_end_ = t.end;
        if (last_ != end_) ++pos_;
    }
    /// Moves on if the next token is this one.
    bool accept(Kind t) {
        if (!at(t)) return false;
        next();
        return true;
    }
    uint32_t pos() const { return pos_; }
    /// The last token stays the one before the move.
    void move_to(uint32_t pos) { pos_ = pos; }
    /// Goes back to a token that was read: the last one ends at this offset of the text.
    void move_back(uint32_t pos, uint32_t last_end) {
        pos_      = pos;
        last_end_ = last_end;
    }
    void move_to_end() { pos_ = toks_.last(); }
    ///@}

    /// @name the text
    ///@{
    FileId file() const { return file_; }
    std::string_view text() const { return text_; }
    std::string_view text(uint32_t begin, uint32_t end) const { return text_.substr(begin, end - begin); }
    Stream& tokens() { return toks_; }
    const Stream& tokens() const { return toks_; }
    ///@}

protected:
    /// Takes the first bytes of the next token, as a token of the first kind; the rest is next, as one of the second.
    void split(uint32_t size, Kind first, Kind rest) {
        auto& token = toks_[pos_];
        token.tok   = rest;
        token.begin += size;
        last_     = first;
        last_end_ = token.begin;
    }

private:
    Stream toks_;
    FileId file_;
    std::string_view text_;
    uint32_t pos_      = 0;
    uint32_t last_end_ = 0; ///< where the last token ended
    Kind last_;
    Kind end_;
};

} // namespace mim::front
