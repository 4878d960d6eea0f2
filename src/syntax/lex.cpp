// SPDX-License-Identifier: MIT
// The lexer: one pass over the bytes. Numbers and quoted literals are in lex_literal.cpp.
#include "syntax/lex.h"

#include <cstring>

#include "diag/utf8.h"
#include "syntax/lexer.h"

namespace mim {

namespace {

/// The words of the 0.1 dialect that are spelled differently today.
Tok old_keyword(std::string_view word) {
    if (word == "ax") return Tok::K_axm;
    if (word == "infer") return Tok::Underscore;
    if (word == "external") return Tok::K_extern;
    if (word == "ret") return Tok::Ident;
    Tok tok = keyword(word);
    return tok == Tok::Ident ? Tok::Error : tok;
}

/// The punctuator that starts with these bytes, longest first, and its length; Error if there is none.
struct Punct {
    Tok tok;
    uint32_t size;
};

Punct ascii_punct(char c, char d) {
    switch (c) {
        case '(': return {Tok::LParen, 1};
        case ')': return {Tok::RParen, 1};
        case '[': return {Tok::LSquare, 1};
        case ']': return {Tok::RSquare, 1};
        case '{': return d == '|' ? Punct{Tok::LSingle, 2} : Punct{Tok::LBrace, 1};
        case '}': return {Tok::RBrace, 1};
        case '<': return d == '<' ? Punct{Tok::LArray, 2} : d == '=' ? Punct{Tok::LessEqual, 2} : Punct{Tok::LPack, 1};
        case '>': return d == '>' ? Punct{Tok::RArray, 2} : d == '=' ? Punct{Tok::GreaterEqual, 2} : Punct{Tok::RPack, 1};
        case '|': return d == '}' ? Punct{Tok::RSingle, 2} : d == '|' ? Punct{Tok::OrOr, 2} : Punct{Tok::Bar, 1};
        case '-': return d == '>' ? Punct{Tok::Arrow, 2} : Punct{Tok::Minus, 1};
        case '=': return d == '>' ? Punct{Tok::FatArrow, 2} : d == '=' ? Punct{Tok::Equal, 2} : Punct{Tok::Assign, 1};
        case '!': return d == '=' ? Punct{Tok::NotEqual, 2} : Punct{Tok::Not, 1};
        case '&': return d == '&' ? Punct{Tok::AndAnd, 2} : Punct{Tok::Error, 1};
        case '+': return {Tok::Plus, 1};
        case '/': return {Tok::Slash, 1};
        case '%': return {Tok::Percent, 1};
        case '\\': return d == '/' ? Punct{Tok::Union, 2} : Punct{Tok::Error, 1};
        case '*': return {Tok::Star, 1};
        case ',': return {Tok::Comma, 1};
        case ';': return {Tok::Semicolon, 1};
        case ':': return {Tok::Colon, 1};
        case '#': return {Tok::Hash, 1};
        case '@': return {Tok::At, 1};
        case '$': return {Tok::Dollar, 1};
        default: return {Tok::Error, 1};
    }
}

Tok unicode_punct(std::string_view c) {
#define MIM_KEY(name, spelling)
#define MIM_PUNCT(name, ascii, unicode)                                                                                          \
    if (unicode[0] && c == unicode) return Tok::name;
#define MIM_CLASS(name, description)
    MIM_TOKENS(MIM_KEY, MIM_PUNCT, MIM_CLASS)
#undef MIM_KEY
#undef MIM_PUNCT
#undef MIM_CLASS
    return Tok::Error;
}

} // namespace

LexResult Lexer::run() {
    out_.tokens.reserve(text_.size() / 4 + 2);
    while (advance()) {}
    return std::move(out_);
}

bool Lexer::advance() {
    if (at_end_) return false;
    if (pos_ == 0 && text_.starts_with("\xef\xbb\xbf")) pos_ = 3;
    if (pos_ == 0 && text_.starts_with("#!")) comment();
    if (skip_space()) {
        begin_ = pos_;
        next();
        return true;
    }
    begin_ = pos_ = static_cast<uint32_t>(text_.size());
    add(Tok::Eof);
    at_end_ = true;
    return true;
}

/// Moves to the next token; false at the end.
bool Lexer::skip_space() {
    while (pos_ < text_.size()) {
        char c = text_[pos_];
        if (is_space(c)) {
            ++pos_;
        } else if (c == '/' && (peek(1) == '/' || peek(1) == '*')) {
            comment();
        } else {
            return true;
        }
    }
    return false;
}

/// The kind of the comment that begins here. The first line of a script, which begins with `#!`, is one of a line.
Comment::Kind Lexer::comment_kind() const {
    if (peek(0) == '#') return Comment::Line;
    if (peek(1) == '*') return Comment::Block;
    bool documents = peek(2) == '/' && peek(3) != '/';
    return documents ? Comment::Doc : Comment::Line;
}

void Lexer::comment() {
    uint32_t begin = pos_;
    auto kind      = comment_kind();
    if (kind == Comment::Block) {
        size_t end = text_.find("*/", begin + 2);
        if (end == std::string_view::npos) {
            begin_ = begin;
            error(Diag::unterminated_comment, begin, begin + 2, {"*/"});
            pos_ = static_cast<uint32_t>(text_.size());
            add(Tok::Error);
            return;
        }
        pos_ = static_cast<uint32_t>(end + 2);
    } else {
        size_t end = text_.find('\n', begin);
        pos_       = static_cast<uint32_t>(end == std::string_view::npos ? text_.size() : end);
    }
    check_utf8(begin, pos_);
    if (kind != Comment::Doc && !options_.all_comments) return;
    uint32_t end = pos_;
    while (kind != Comment::Block && end > begin && (text_[end - 1] == ' ' || text_[end - 1] == '\r' || text_[end - 1] == '\t'))
        --end;
    out_.comments.push_back({kind, is_first_in_line(begin), begin, end, position()});
}

bool Lexer::is_first_in_line(uint32_t pos) const {
    while (pos > 0) {
        char c = text_[--pos];
        if (c == '\n') return true;
        if (c != ' ' && c != '\t' && c != '\r') return false;
    }
    return true;
}

/// Where the ASCII characters from `begin` on end: most comments have no others, so eight are looked at at once.
static uint32_t skip_ascii(std::string_view text, uint32_t begin, uint32_t end) {
    constexpr uint64_t high_bits = 0x8080808080808080;
    auto i                       = begin;
    for (uint64_t eight; i + sizeof eight <= end; i += sizeof eight) {
        std::memcpy(&eight, text.data() + i, sizeof eight);
        if (eight & high_bits) break;
    }
    while (i < end && static_cast<unsigned char>(text[i]) < 0x80) ++i;
    return i;
}

void Lexer::check_utf8(uint32_t begin, uint32_t end) {
    for (uint32_t i = skip_ascii(text_, begin, end); i < end; i = skip_ascii(text_, i, end)) {
        uint32_t n = utf8::size(text_.substr(i, end - i));
        if (n == 0) {
            error(Diag::bad_utf8, i, i + 1, {utf8::byte_name(text_[i])});
            return;
        }
        i += n;
    }
}

void Lexer::next() {
    char c = text_[pos_];
    if (is_letter(c)) return word();
    if (is_digit(c)) return number();
    if (c == '%' && is_letter(peek(1))) return annex();
    if (c == '"') return string();
    if (c == '\'') return character();
    if (c == '.' && options_.dialect == Dialect::Mim0_1) return dot();
    if (static_cast<unsigned char>(c) >= 0x80) return unicode();
    Punct p = ascii_punct(c, peek(1));
    if (p.tok == Tok::Error) return bad_char(1);
    pos_ += p.size;
    if (p.tok >= Tok::LParen && p.tok <= Tok::RBrace) return bracket(p.tok);
    add(p.tok);
}

void Lexer::word() {
    while (is_word(peek(0))) ++pos_;
    auto text = text_.substr(begin_, pos_ - begin_);
    if (text == "_") return add(Tok::Underscore);
    // In the 0.1 dialect a keyword has a dot, and a word without one is a name.
    add(options_.dialect == Dialect::Mim ? keyword(text) : Tok::Ident);
}

void Lexer::dot() {
    uint32_t end = pos_ + 1;
    while (end < text_.size() && is_word(text_[end])) ++end;
    Tok tok = end > pos_ + 1 ? old_keyword(text_.substr(pos_ + 1, end - pos_ - 1)) : Tok::Dot;
    if (tok == Tok::Error) return bad_char(1);
    out_.dotted |= tok != Tok::Dot;
    if (tok == Tok::Ident) ++begin_; // `.ret` is `ret`
    pos_ = end;
    add(tok);
}

/// `%a.b` or `%a.b.c`; what is longer or shorter is one token, too, and an error.
void Lexer::annex() {
    uint32_t parts = 0;
    do {
        ++pos_;
        while (is_word(peek(0))) ++pos_;
        ++parts;
    } while (peek(0) == '.' && is_letter(peek(1)));
    if (parts == 2 || parts == 3) return add(Tok::Annex);
    error(Diag::malformed_annex, begin_, pos_, {std::string(text_.substr(begin_, pos_ - begin_))});
    add(Tok::Error);
}

void Lexer::unicode() {
    uint32_t n = utf8::size(text_.substr(pos_, 4));
    if (n == 0) {
        error(Diag::bad_utf8, pos_, pos_ + 1, {utf8::byte_name(text_[pos_])});
        // One diagnostic for a run of such bytes.
        while (pos_ < text_.size() && static_cast<unsigned char>(text_[pos_]) >= 0x80 && utf8::size(text_.substr(pos_, 4)) == 0)
            ++pos_;
        return add(Tok::Error);
    }
    Tok tok = unicode_punct(text_.substr(pos_, n));
    if (tok == Tok::Error || (tok == Tok::Pi && options_.dialect == Dialect::Mim)) return bad_char(n);
    pos_ += n;
    add(tok);
}

void Lexer::bad_char(uint32_t size) {
    auto c         = static_cast<unsigned char>(text_[pos_]);
    bool printable = size > 1 || (c > ' ' && c < 0x7f);
    error(Diag::unexpected_char, pos_, pos_ + size,
          {printable ? "`" + std::string(text_.substr(pos_, size)) + "`" : utf8::byte_name(text_[pos_])});
    pos_ += size;
    // One diagnostic for a run of the same character.
    while (text_.substr(pos_, size) == text_.substr(begin_, size)) pos_ += size;
    add(Tok::Error);
}

void Lexer::bracket(Tok tok) {
    auto index = position();
    add(tok);
    bool opens = tok == Tok::LParen || tok == Tok::LSquare || tok == Tok::LBrace;
    if (opens) return open_.push_back(index);
    if (open_.empty()) return;
    auto partner  = open_.back();
    Token& opener = out_.tokens[partner - dropped_tokens_];
    open_.pop_back();
    if (static_cast<int>(opener.tok) + 1 != static_cast<int>(tok)) return; // e.g. `[…}`: neither has a partner
    out_.tokens.back().extra = partner;
    opener.extra             = index;
}

void Lexer::add(Tok tok, uint32_t extra) { out_.tokens.push_back({tok, begin_, pos_, extra}); }

LexResult lex(std::string_view text, LexOptions options) { return Lexer(text, options).run(); }

} // namespace mim
