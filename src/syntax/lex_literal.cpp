// SPDX-License-Identifier: MIT
// Numbers, characters and strings. Each literal is checked here against its own type: 64 bits, `300I8`, `5_3`.
#include "diag/utf8.h"
#include "front/literal.h"
#include "syntax/lexer.h"

namespace mim {

using front::digit_value;
using front::push_digit;

namespace {

/// U+2080 … U+2089 are three bytes; the digit, or -1.
int subscript(std::string_view s) {
    if (s.size() < 3 || s[0] != '\xe2' || s[1] != '\x82') return -1;
    int d = static_cast<unsigned char>(s[2]) - 0x80;
    return d >= 0 && d <= 9 ? d : -1;
}

} // namespace

void Lexer::literal(Tok tok, Literal lit) {
    out_.literals.push_back(lit);
    add(tok, dropped_literals_ + static_cast<uint32_t>(out_.literals.size() - 1));
}

void Lexer::malformed_number() {
    while (is_word(peek(0)) || (peek(0) == '.' && is_word(peek(1)))) ++pos_;
    error(Diag::malformed_number, begin_, pos_, {seen()});
    add(Tok::Error);
}

/// Any literal that starts with a digit. A sign in front of it is a token of its own.
void Lexer::number() {
    bool hex      = peek(0) == '0' && (peek(1) == 'x' || peek(1) == 'X');
    bool bin      = peek(0) == '0' && (peek(1) == 'b' || peek(1) == 'B');
    unsigned base = hex ? 16 : bin ? 2 : 10;
    if (base != 10) pos_ += 2;
    uint32_t digits = pos_;
    while (digit_value(peek(0)) < base) ++pos_;
    char c        = peek(0);
    bool fraction = c == '.' && (hex ? digit_value(peek(1)) < 16 : is_digit(peek(1)));
    bool exponent = hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E';
    if (!bin && (fraction || exponent)) {
        if (!float_tail(hex)) return malformed_number();
        return add(Tok::Float);
    }
    if (pos_ == digits) return malformed_number();
    integer(base, digits);
}

/// `.digits` and an exponent; a hexadecimal float needs one.
bool Lexer::float_tail(bool hex) {
    if (peek(0) == '.') {
        ++pos_;
        while (hex ? digit_value(peek(0)) < 16 : is_digit(peek(0))) ++pos_;
    }
    char c = peek(0);
    if (hex ? c == 'p' || c == 'P' : c == 'e' || c == 'E') {
        ++pos_;
        if (peek(0) == '+' || peek(0) == '-') ++pos_;
        if (!is_digit(peek(0))) return false;
        while (is_digit(peek(0))) ++pos_;
    } else if (hex) {
        return false;
    }
    return !is_word(peek(0));
}

/// Digits are read, what follows decides: `_23` and `₂₃` state a size, `I32` a width.
void Lexer::integer(unsigned base, uint32_t digits_begin) {
    auto number   = front::read_digits(text_.substr(digits_begin, pos_ - digits_begin), base);
    auto value    = number.value_or(0);
    bool overflow = !number;
    if ((peek(0) == '_' && is_digit(peek(1))) || subscript(text_.substr(pos_, 3)) >= 0) return index(value, overflow);
    if (peek(0) == 'I') return width(value, overflow, pos_);
    if (is_word(peek(0))) return malformed_number();
    if (overflow) {
        error(Diag::literal_too_big, begin_, pos_, {seen()});
        return add(Tok::Error);
    }
    literal(Tok::Nat, {value, 0, {}});
}

void Lexer::misfit(std::string type, std::string why) {
    error(Diag::literal_misfit, begin_, pos_, {seen(), std::move(type), std::move(why)});
    add(Tok::Error);
}

void Lexer::index(uint64_t value, bool overflow) {
    uint64_t size = 0;
    bool size_ok  = true;
    if (peek(0) == '_') {
        for (++pos_; is_digit(peek(0)); ++pos_) size_ok &= push_digit(size, 10, static_cast<unsigned>(peek(0) - '0'));
    } else {
        for (int d; (d = subscript(text_.substr(pos_, 3))) >= 0; pos_ += 3)
            size_ok &= push_digit(size, 10, static_cast<unsigned>(d));
    }
    if (is_word(peek(0))) return malformed_number();
    if (!size_ok) {
        error(Diag::literal_too_big, begin_, pos_, {seen()});
        return add(Tok::Error);
    }
    auto type = "Idx " + std::to_string(size);
    if (size == 0) return misfit(type, "it has no values");
    if (overflow || value >= size) return misfit(type, "the largest value is " + std::to_string(size - 1));
    literal(Tok::Idx, {value, size, ast::IdxForm::Index});
}

void Lexer::width(uint64_t value, bool overflow, uint32_t begin) {
    while (is_word(peek(0))) ++pos_;
    auto type     = text_.substr(begin, pos_ - begin);
    unsigned bits = type == "I1" ? 1 : type == "I8" ? 8 : type == "I16" ? 16 : type == "I32" ? 32 : type == "I64" ? 64 : 0;
    if (bits == 0) return malformed_number();
    uint64_t size = bits == 64 ? 0 : uint64_t(1) << bits;
    uint64_t last = size - 1;
    if (overflow || value > last) return misfit(std::string(type), "the largest value is " + std::to_string(last));
    literal(Tok::Idx, {value, size, ast::IdxForm::Width});
}

/// The byte that the escape after the backslash at pos stands for, or -1 after a diagnostic. Moves pos behind it.
int Lexer::escape(uint32_t& pos) {
    auto [size, byte] = front::read_escape(text_.substr(pos));
    if (byte < 0) error(Diag::unknown_escape, pos, pos + size, {"`" + std::string(text_.substr(pos, size)) + "`"});
    pos += size;
    return byte;
}

void Lexer::string() {
    size_t first = out_.bytes.size();
    bool ok      = true;
    uint32_t pos = pos_ + 1;
    while (pos < text_.size() && text_[pos] != '"' && text_[pos] != '\n') {
        if (text_[pos] == '\\') {
            int byte = escape(pos);
            ok &= byte >= 0;
            out_.bytes.push_back(static_cast<char>(byte));
        } else {
            out_.bytes.push_back(text_[pos++]);
        }
    }
    pos_ = pos;
    if (peek(0) != '"') {
        error(Diag::unterminated_string, begin_, begin_ + 1);
        return add(Tok::Error);
    }
    check_utf8(begin_, pos_++);
    if (!ok) return add(Tok::Error);
    literal(Tok::String, {first, out_.bytes.size() - first, {}});
}

void Lexer::character() {
    uint32_t pos = pos_ + 1;
    char c       = peek(1);
    int byte     = -1;
    bool known   = true;
    if (c == '\\') {
        byte  = escape(pos);
        known = byte >= 0;
    } else if (c != '\'' && c != '\n' && c != '\0') {
        uint32_t n = utf8::size(text_.substr(pos, 4));
        if (n == 1) byte = static_cast<unsigned char>(c);
        if (n == 0) c = '\''; // not to be shown
        pos += n ? n : 1;
    }
    uint32_t last = pos; // of `'ab'`
    while (last < text_.size() && is_word(text_[last])) ++last;
    if (last > pos && last < text_.size() && text_[last] == '\'') {
        pos  = last;
        byte = -1;
    }
    bool closed = pos < text_.size() && text_[pos] == '\'';
    pos_        = pos + closed;
    if (known && closed && byte >= 0) return literal(Tok::Char, {static_cast<uint64_t>(byte), 256, ast::IdxForm::Char});
    if (known) error(Diag::bad_char_literal, begin_, pos_, {c != '\'' ? "`" + seen() + "`" : "none"});
    add(Tok::Error);
}

} // namespace mim
