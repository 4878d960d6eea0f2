// SPDX-License-Identifier: MIT
#include "syntax/lookahead.h"

#include <algorithm>
#include <utility>

#include "syntax/print.h"

namespace mim {

/// An operand that does not end with this token.
static bool begins_longer(Tok t) {
    switch (t) {
        case Tok::LParen:
        case Tok::LSquare:
        case Tok::LArray:
        case Tok::LSingle:
        case Tok::Lambda:
        case Tok::K_cn:
        case Tok::K_fn:
        case Tok::K_Sort:
        case Tok::K_ins: return true;
        default: return false;
    }
}

/// A token that starts an operand wherever it stands.
static bool starts_any(Tok t) {
    switch (t) {
        case Tok::Ident:
        case Tok::Annex:
        case Tok::Nat:
        case Tok::Idx:
        case Tok::Float:
        case Tok::Char:
        case Tok::String:
        case Tok::Error:
        case Tok::Box:
        case Tok::Bot:
        case Tok::Top:
        case Tok::Underscore: return true;
        default: return begins_longer(t) || (t >= Tok::K_Nat && t <= Tok::K_i64);
    }
}

bool Lookahead::starts_atom() const {
    Tok t = tok();
    if (starts_any(t)) return !is_shift();
    if (t == Tok::Star || t == Tok::LPack) return !is_infix();
    if (t == Tok::LBrace) return !at_group() && !at_braced_value();
    return is_misused();
}

bool Lookahead::is_shift() const {
    static constexpr uint32_t MaxLook = 64;
    if (!at(Tok::LArray) || !is_ascii(0, '<')) return false;
    uint32_t open = 1, lengths = 0; // arrays and packs, and those whose length was read
    for (uint32_t i = 1; i < MaxLook; ++i) {
        Tok t        = tok(i);
        auto partner = cursor_.partner(i);
        if (partner != kNone) i = partner - cursor_.pos();
        else if (t == Tok::RArray || t == Tok::RPack) return false;
        else if (t == Tok::RParen || t == Tok::RSquare || t == Tok::RBrace || t == Tok::Eof) return true;
        if (t == Tok::LArray || t == Tok::LPack) ++open;
        if (t == Tok::Semicolon && ++lengths > open) return true;
    }
    return false;
}

bool Lookahead::is_word(uint32_t ahead, std::string_view word) const {
    auto& t = cursor_.token(ahead);
    return t.tok == Tok::Ident && t.end - t.begin == word.size() && cursor_.text(t.begin, t.end) == word;
}

bool Lookahead::is_ret() const {
    if (context_.no_ret || !is_word(0, "ret")) return false;
    uint32_t n = 2; // the token behind the pattern
    if (tok(1) == Tok::LParen || tok(1) == Tok::LSquare) {
        auto partner = cursor_.partner(1);
        if (partner == kNone) return false;
        n = partner + 1 - cursor_.pos();
    } else if (!is_name(1)) {
        return is_reserved(1) && tok(2) == Tok::Assign; // reported where the name is read
    }
    while (tok(n) == Tok::K_as && tok(n + 1) == Tok::Ident) n += 2;
    return tok(n) == Tok::Assign || tok(n) == Tok::Colon;
}

bool Lookahead::is_top_level_line() const {
    bool is_function = at(Tok::K_lam) || at(Tok::K_con) || at(Tok::K_fun);
    bool is_top      = is_function ? tok(1) == Tok::K_extern
                                   : at(Tok::K_ccon) || at(Tok::K_cfun) || at(Tok::K_import) || at(Tok::K_plugin);
    return is_top && (cursor_.begin() == 0 || cursor_.text()[cursor_.begin() - 1] == '\n');
}

/*
 * operators
 */

/// The next token is this character, and no other spelling of its kind.
bool Lookahead::is_ascii(uint32_t ahead, char c) const { return cursor_.text()[cursor_.token(ahead).begin] == c; }

/// A name, a literal, an annex, a closing bracket, or a word for a type or a value.
static bool ends_operand(Tok t) {
    switch (t) {
        case Tok::RParen:
        case Tok::RSquare:
        case Tok::RBrace:
        case Tok::RArray:
        case Tok::RPack:
        case Tok::RSingle: return true;
        default: return starts_any(t) && !begins_longer(t);
    }
}

bool Lookahead::starts_operand(uint32_t ahead) const {
    Tok t          = tok(ahead);
    bool is_prefix = t == Tok::Minus || t == Tok::Not;
    return starts_any(t) || is_prefix || t == Tok::LBrace || t == Tok::LPack;
}

/// `*`, `<` or `>` with an operand behind it.
bool Lookahead::is_between(uint32_t ahead) const {
    switch (tok(ahead)) {
        case Tok::Star: break;
        case Tok::LPack:
            if (!is_ascii(ahead, '<')) return false;
            break;
        case Tok::RPack:
            if (context_.in_pack || !is_ascii(ahead, '>')) return false;
            break;
        default: return false;
    }
    return starts_operand(ahead + 1);
}

bool Lookahead::is_infix() const {
    Tok t = tok();
    if (is_operator(t)) return t != Tok::Not;
    bool may_be = t == Tok::Star || t == Tok::LPack || t == Tok::RPack;
    return may_be && ends_operand(cursor_.last()) && is_between(0);
}

bool Lookahead::is_signed_number() const {
    bool is_sign   = at(Tok::Minus) || at(Tok::Plus);
    Tok number     = is_sign ? tok(1) : Tok::Eof;
    bool is_number = number == Tok::Float || number == Tok::Nat || number == Tok::Idx;
    return is_number && cursor_.end() == cursor_.token(1).begin;
}

bool Lookahead::is_bare_pack() const {
    static constexpr uint32_t MaxLook = 64;
    bool is_body                      = false;
    if (!at(Tok::LPack)) return false;
    for (uint32_t i = 1; i < MaxLook; ++i) {
        Tok t        = tok(i);
        auto partner = cursor_.partner(i);
        if (partner != kNone) i = partner - cursor_.pos();
        else if (t == Tok::RPack && is_body && is_ascii(i, '>')) return !starts_operand(i + 1);
        else if (t == Tok::RParen || t == Tok::RSquare || t == Tok::RBrace || t == Tok::Eof || t <= Tok::K_plugin) return false;
        if (t == Tok::Semicolon && std::exchange(is_body, true)) return false;
    }
    return false;
}

bool Lookahead::is_op(uint32_t ahead) const {
    if (!is_word(ahead, "op")) return false;
    Tok op        = tok(ahead + 1);
    bool is_angle = (op == Tok::LPack && is_ascii(ahead + 1, '<')) || (op == Tok::RPack && is_ascii(ahead + 1, '>'));
    if (!is_operator(op) && op != Tok::Star && !is_angle) return false;
    if (is_name(ahead + 2)) return tok(ahead + 3) == Tok::Colon;
    auto partner = cursor_.partner(ahead + 2);
    if (partner == kNone) return false;
    switch (tok(partner + 1 - cursor_.pos())) {
        case Tok::LParen:
        case Tok::LSquare:
        case Tok::LBrace:
        case Tok::At:
        case Tok::Colon:
        case Tok::Assign: return true;
        default: return false;
    }
}

/*
 * brackets
 */

/// Whether a `;` stands in these brackets, outside of arrays and packs, and ends no declaration: a block was meant that starts with a
/// statement.
bool Lookahead::has_statement() const {
    auto& toks       = cursor_.tokens();
    uint32_t partner = cursor_.token().extra, arrays = 0;
    if (partner == kNone) return false;
    for (uint32_t i = cursor_.pos() + 1; i < partner; ++i) {
        const Token& t = toks[i];
        if (t.tok == Tok::LArray || t.tok == Tok::LPack) ++arrays;
        if ((t.tok == Tok::RArray || t.tok == Tok::RPack) && arrays) --arrays;
        if (t.tok == Tok::Semicolon && !arrays) return true;
        if (t.tok <= Tok::K_plugin) return false;
        if (Cursor::opens(t.tok) && t.extra != kNone) i = t.extra;
    }
    return false;
}

bool Lookahead::at_braced_value() const {
    if (!at(Tok::LBrace) || starts_decl(1) || has_statement()) return false;
    if (tok(1) == Tok::K_match) return true;
    switch (cursor_.after_bracket()) {
        case Tok::Semicolon:
        case Tok::Comma:
        case Tok::RParen:
        case Tok::RSquare:
        case Tok::RBrace:
        case Tok::K_where:
        case Tok::K_end:
        case Tok::Eof: return true;
        default: return false;
    }
}

bool Lookahead::at_group() const {
    if (at(Tok::Dot)) return true;
    if (!at(Tok::LBrace)) return at(Tok::LSquare);
    if (starts_decl(1) || has_statement() || at_braced_value()) return false;
    bool is_ret_ahead = is_word(1, "ret") && tok(2) != Tok::Colon;
    return !is_ret_ahead;
}

bool Lookahead::at_domain() const {
    if (!at(Tok::LSquare)) return at_group();
    Tok after = cursor_.after_bracket();
    return after == Tok::Arrow || after == Tok::LSquare || after == Tok::LBrace || after == Tok::Dot;
}

bool Lookahead::at_label() const {
    if (at(Tok::Annex) || at_qualified()) return true;
    return at(Tok::Ident) && (is_name(1) || tok(1) == Tok::LParen || tok(1) == Tok::LSquare);
}

bool Lookahead::is_pattern_ahead(bool square) const {
    if (is_name()) {
        if (!square) return true;
        uint32_t n = 1;
        while (is_name(n)) ++n;
        return tok(n) == Tok::Colon;
    }
    if (square && is_keyword_as_name({Tok::Colon})) return true;
    if (!at(Tok::LParen) && !at(Tok::LSquare)) return !square;
    if (!square) return true;
    Tok after = cursor_.after_bracket();
    if (after == Tok::Colon || after == Tok::K_as) return true;
    bool ends = after == Tok::Comma || after == Tok::RSquare || after == Tok::RBrace || after == Tok::RParen;
    return ends && at(Tok::LSquare);
}

/*
 * typical mistakes
 */

bool Lookahead::is_bare_block() const {
    static constexpr uint32_t MaxLook = 1024;
    if (tok() > Tok::K_fun) return false;
    auto ends = [](Tok t) { return t == Tok::Eof || t == Tok::RBrace || t == Tok::K_end; };
    for (uint32_t i = 0; i < MaxLook; ++i) {
        Tok t = tok(i);
        if (ends(t)) return false;
        auto partner = cursor_.partner(i);
        if (partner != kNone) i = partner - cursor_.pos();
        if (t != Tok::Semicolon) continue;
        Tok after = tok(i + 1);
        if (after > Tok::K_plugin) return !ends(after);
        if (after > Tok::K_fun) return false;
    }
    return false;
}

uint32_t Lookahead::dotted() const {
    if (dialect_ != Dialect::Mim) return cursor_.pos();
    auto is_joined = [&](uint32_t i) {
        auto end = cursor_.token(i).end;
        return end == cursor_.token(i + 1).begin;
    };
    auto is_dot  = [&](uint32_t i) { return tok(i) == Tok::Error && cursor_.word(i) == "."; };
    uint32_t n   = 0;
    auto is_word = [&](uint32_t i) { return tok(i) == Tok::Ident || tok(i) < Tok::LParen; };
    while (is_dot(n + 1) && is_joined(n) && is_joined(n + 1) && is_word(n + 2)) n += 2;
    return n ? cursor_.pos() + n + 1 : cursor_.pos();
}

uint32_t Lookahead::body_of_statement() const {
    auto word    = cursor_.word();
    bool is_such = word == "for" || word == "while" || word == "if";
    auto brace   = is_such ? next_brace() : 0;
    return brace != 0 && !starts_decl(brace - cursor_.pos() + 1) ? brace : 0;
}

uint32_t Lookahead::next_brace() const {
    static constexpr uint32_t MaxTokens = 64;
    for (uint32_t i = 1; i < MaxTokens; ++i) {
        if (tok(i) == Tok::LBrace) return cursor_.pos() + i;
        bool is_end = tok(i) == Tok::Semicolon || tok(i) == Tok::RBrace || tok(i) == Tok::K_end || tok(i) == Tok::Eof;
        if (is_end || starts_decl(i)) return 0;
    }
    return 0;
}

bool Lookahead::is_reserved(uint32_t ahead) const { return is_keyword(cursor_.word(ahead)); }

bool Lookahead::is_keyword_as_name(std::initializer_list<Tok> followers) const {
    return is_reserved() && std::find(followers.begin(), followers.end(), tok(1)) != followers.end();
}

bool Lookahead::is_misused() const {
    bool is_type = tok() > Tok::K_Sort && tok() <= Tok::K_i64;
    if (is_type || !misused_.contains(tok())) return false;
    switch (tok(1)) {
        case Tok::Semicolon:
        case Tok::Comma:
        case Tok::RParen:
        case Tok::RSquare:
        case Tok::RBrace:
        case Tok::RArray:
        case Tok::RPack:
        case Tok::Hash:
        case Tok::K_where: return true;
        default: return tok() != Tok::K_end && tok(1) == Tok::Eof;
    }
}

} // namespace mim
