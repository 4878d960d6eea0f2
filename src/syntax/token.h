// SPDX-License-Identifier: MIT
// All tokens of Mim in one table: KEY(name, spelling) are words, PUNCT(name, ascii, unicode) have one or two spellings (the
// second is empty where there is none), CLASS(name, description) are found by shape. `ret` is no keyword: the parser knows it
// by its place.
#pragma once
#include <cstdint>
#include <string_view>

#include "front/token.h"

namespace mim {

// clang-format off
#define MIM_TOKENS(KEY, PUNCT, CLASS) \
    /* declarations */ \
    KEY(K_let, "let") KEY(K_rec, "rec") KEY(K_and, "and") KEY(K_lam, "lam") KEY(K_con, "con") KEY(K_fun, "fun") \
    KEY(K_axm, "axm") KEY(K_ccon, "ccon") KEY(K_cfun, "cfun") KEY(K_rule, "rule") KEY(K_norm, "norm") \
    KEY(K_import, "import") KEY(K_plugin, "plugin") KEY(K_extern, "extern") KEY(K_when, "when") \
    /* expressions */ \
    KEY(K_where, "where") KEY(K_end, "end") KEY(K_match, "match") KEY(K_with, "with") KEY(K_inj, "inj") KEY(K_ins, "ins") \
    KEY(K_as, "as") KEY(K_Cn, "Cn") KEY(K_Fn, "Fn") KEY(K_cn, "cn") KEY(K_fn, "fn") KEY(K_Sort, "Sort") \
    /* leaves: in the order of ast::PrimKind, from Nat on */ \
    KEY(K_Nat, "Nat") KEY(K_Idx, "Idx") KEY(K_Bool, "Bool") KEY(K_I1, "I1") KEY(K_I8, "I8") KEY(K_I16, "I16") \
    KEY(K_I32, "I32") KEY(K_I64, "I64") KEY(K_ff, "ff") KEY(K_tt, "tt") KEY(K_i1, "i1") KEY(K_i8, "i8") KEY(K_i16, "i16") \
    KEY(K_i32, "i32") KEY(K_i64, "i64") \
    /* brackets */ \
    PUNCT(LParen, "(", "") PUNCT(RParen, ")", "") PUNCT(LSquare, "[", "") PUNCT(RSquare, "]", "") \
    PUNCT(LBrace, "{", "") PUNCT(RBrace, "}", "") PUNCT(LArray, "<<", "«") PUNCT(RArray, ">>", "»") \
    PUNCT(LPack, "<", "‹") PUNCT(RPack, ">", "›") PUNCT(LSingle, "{|", "⦃") PUNCT(RSingle, "|}", "⦄") \
    /* operators and separators */ \
    PUNCT(Arrow, "->", "→") PUNCT(FatArrow, "=>", "⇒") PUNCT(Lambda, "lm", "λ") PUNCT(Bot, "bot", "⊥") \
    PUNCT(Top, "top", "⊤") PUNCT(Star, "*", "") PUNCT(Box, "", "□") PUNCT(Union, "\\/", "∪") PUNCT(Assign, "=", "") \
    PUNCT(Comma, ",", "") PUNCT(Semicolon, ";", "") PUNCT(Colon, ":", "") PUNCT(Hash, "#", "") PUNCT(At, "@", "") \
    PUNCT(Dollar, "$", "") PUNCT(Bar, "|", "") PUNCT(Underscore, "_", "") \
    /* only operators; `*`, `<` and `>` may be one, too */ \
    PUNCT(Plus, "+", "") PUNCT(Minus, "-", "") PUNCT(Slash, "/", "") PUNCT(Percent, "%", "") PUNCT(Not, "!", "") \
    PUNCT(Equal, "==", "") PUNCT(NotEqual, "!=", "") PUNCT(LessEqual, "<=", "") PUNCT(GreaterEqual, ">=", "") \
    PUNCT(AndAnd, "&&", "") PUNCT(OrOr, "||", "") \
    /* only in the 0.1 dialect */ \
    PUNCT(Dot, ".", "") PUNCT(Pi, "", "Π") \
    /* found by shape */ \
    CLASS(Ident, "a name") CLASS(Annex, "an annex") CLASS(Nat, "a number") CLASS(Idx, "an index literal") \
    CLASS(Float, "a float") CLASS(Char, "a character") CLASS(String, "a string") CLASS(Error, "an error") \
    CLASS(Eof, "the end of the file")
// clang-format on

enum class Tok : uint8_t {
#define MIM_TOK_KEY(name, spelling) name,
#define MIM_TOK_PUNCT(name, ascii, unicode) name,
#define MIM_TOK_CLASS(name, description) name,
    MIM_TOKENS(MIM_TOK_KEY, MIM_TOK_PUNCT, MIM_TOK_CLASS)
#undef MIM_TOK_KEY
#undef MIM_TOK_PUNCT
#undef MIM_TOK_CLASS
};

/// How a diagnostic names a kind of token: a spelling in backticks, or a description.
std::string_view describe(Tok);

/// The keyword (or the word spelling of a punctuator, as `bot`) that a word is; Tok::Ident if it is none.
Tok keyword(std::string_view word);

/// A token whose value is in a table of its own (see Token::extra).
inline bool is_literal(Tok t) { return t == Tok::Nat || t == Tok::Idx || t == Tok::Char || t == Tok::String; }

/// A token that is an operator wherever it stands.
inline bool is_operator(Tok t) { return t >= Tok::Plus && t <= Tok::OrOr; }

/// One token: 16 bytes, text by position. Literals have in `extra` an index into LexResult::literals.
using Token = front::BasicToken<Tok>;
using front::kNone;

} // namespace mim
