// SPDX-License-Identifier: MIT
#include "lark.h"

namespace lark {

static mim::front::Lexicon make_lexicon() {
    mim::front::Lexicon l;
    l.words         = {{"def", Def}, {"type", Type}, {"infixl", InfixL}, {"infixr", InfixR}, {"infix", InfixN},
                       {"let", Let}, {"in", In},     {"if", If},         {"then", Then},     {"else", Else},
                       {"not", Not}, {"true", True}, {"false", False}};
    l.symbols       = {{",", Comma}, {":", Colon}, {"=", Equals}, {"->", Arrow}, {"→", Arrow}, {"\\", Backslash}, {".", Dot}};
    l.brackets      = {{"(", LParen, ")", RParen}};
    l.operators     = "+-*/<>=&|^!:$";
    l.line_comments = {"--"};
    l.doc_comment   = "---";
    l.in_names      = "'";
    l.has_strings   = false;
    l.has_floats    = false; // `p.1.2` is an element of an element
    return l;
}

const mim::front::Lexicon& lexicon() {
    static const mim::front::Lexicon table = make_lexicon();
    return table;
}

} // namespace lark
