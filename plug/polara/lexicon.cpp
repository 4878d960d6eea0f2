// SPDX-License-Identifier: MIT
#include "polara.h"

namespace mim::plug::polara {

static front::Lexicon make_lexicon() {
    front::Lexicon l;
    l.words = {{"def", DefWord}, {"extern", Extern}, {"let", Let},   {"fun", Fun},   {"for", For},   {"sum", Sum},    {"if", If},
               {"then", Then},   {"else", Else},     {"fold", Fold}, {"scan", Scan}, {"true", True}, {"false", False}};
    l.symbols       = {{"+", Plus},        {"-", Minus},   {"*", Star},         {"×", Times},      {"/", Slash}, {"<", Less},
                       {"==", EqualEqual}, {":=", Assign}, {":", Colon},        {";", Semicolon},  {",", Comma}, {".", Dot},
                       {"->", Arrow},      {"→", Arrow},   {"=>", DoubleArrow}, {"⇒", DoubleArrow}};
    l.brackets      = {{"(", LParen, ")", RParen}, {"[", LBracket, "]", RBracket}, {"{", LBrace, "}", RBrace}};
    l.line_comments = {"--"};
    l.in_names      = "'";
    l.has_strings   = false;
    l.allows_tabs   = false;
    return l;
}

const front::Lexicon& lexicon() {
    static const front::Lexicon table = make_lexicon();
    return table;
}

} // namespace mim::plug::polara
