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
    l.foreign       = {{"=", "`:=` defines a name, `==` compares"},
                       {"!=", "`if a == b then false else true`"},
                       {">", "`a > b` is `b < a`"},
                       {"<=", "`a <= b` is `if b < a then false else true`"},
                       {">=", "`a >= b` is `if a < b then false else true`"},
                       {"&", "`a` and `b` is `if a then b else false`"},
                       {"&&", "`a && b` is `if a then b else false`"},
                       {"|", "`a` or `b` is `if a then true else b`"},
                       {"||", "`a || b` is `if a then true else b`"},
                       {"!", "not `a` is `if a then false else true`"},
                       {"%", "the rest of a division is `a - a / b * b`"},
                       {"^", "write a power as a product, as in `x * x`"},
                       {"**", "write a power as a product, as in `x * x`"},
                       {"\\", "a function is `fun x. e`"},
                       {"λ", "a function is `fun x. e`"},
                       {"\"", "there are numbers, Booleans, functions, pairs and arrays, and no texts"},
                       {"#", "a comment begins with `--`"},
                       {"//", "a comment begins with `--`"},
                       {"/*", "a comment begins with `--`"}};
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
