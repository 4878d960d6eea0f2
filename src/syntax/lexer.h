// SPDX-License-Identifier: MIT
// The class behind lex(). Private to src/syntax.
#pragma once
#include "front/chars.h"
#include "syntax/lex.h"

namespace mim {

using front::is_digit;
using front::is_letter;
using front::is_space;
using front::is_word;

class Lexer {
public:
    Lexer(std::string_view text, LexOptions options)
        : text_(text)
        , options_(options) {}

    /// All tokens.
    LexResult run();
    /// Reads one more token, at the end Eof; false when that was read.
    bool advance();
    /// What was read so far. Its owner may take tokens and literals away in front while is_balanced(), and then says how many in
    /// all: positions and literals are numbered from the start of the text.
    LexResult& result() { return out_; }
    const LexResult& result() const { return out_; }
    void set_dropped(uint32_t tokens, uint32_t literals) { dropped_tokens_ = tokens, dropped_literals_ = literals; }
    /// No round, square or curly bracket is open.
    bool is_balanced() const { return open_.empty(); }

private:
    bool skip_space();
    Comment::Kind comment_kind() const;
    void comment();
    void next();
    void word();
    void dot();
    void annex();
    void unicode();
    void bad_char(uint32_t size);
    void bracket(Tok);
    void number();
    bool float_tail(bool hex);
    void integer(unsigned base, uint32_t digits_begin);
    void index(uint64_t value, bool overflow);
    void width(uint64_t value, bool overflow, uint32_t digits);
    void malformed_number();
    void string();
    void character();
    int escape(uint32_t& pos);
    void literal(Tok, Literal);
    void misfit(std::string type, std::string why);

    void check_utf8(uint32_t begin, uint32_t end);
    bool is_first_in_line(uint32_t pos) const;
    char peek(uint32_t n) const { return pos_ + n < text_.size() ? text_[pos_ + n] : '\0'; }
    void add(Tok, uint32_t extra = kNone);
    /// The position of the next token.
    uint32_t position() const { return dropped_tokens_ + static_cast<uint32_t>(out_.tokens.size()); }
    void error(Diag id, uint32_t begin, uint32_t end, DiagArgs args = {}) {
        out_.errors.push_back({id, begin, end, std::move(args)});
    }
    std::string seen() const { return std::string(text_.substr(begin_, pos_ - begin_)); }

    std::string_view text_;
    LexOptions options_;
    LexResult out_;
    std::vector<uint32_t> open_;  ///< indices of brackets without a closer yet
    uint32_t begin_          = 0; ///< of the token being read
    uint32_t pos_            = 0;
    uint32_t dropped_tokens_ = 0, dropped_literals_ = 0;
    bool at_end_ = false;
};

} // namespace mim
