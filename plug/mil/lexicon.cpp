// SPDX-License-Identifier: MIT
#include "reader.h"

namespace mim::plug::mil {

static front::Lexicon make_lexicon() {
    front::Lexicon l;
    l.words   = {{"require", Require},
                 {"export", Export},
                 {"entrypoint", Entrypoint},
                 {"external", External},
                 {"infix", InfixWord},
                 {"infixl", InfixL},
                 {"infixr", InfixR},
                 {"data", Data},
                 {"type", TypeWord},
                 {"area", Area},
                 {"struct", Struct},
                 {"bitdata", Bitdata},
                 {"aligned", Aligned},
                 {"case", Case},
                 {"of", Of},
                 {"if", If},
                 {"then", Then},
                 {"else", Else},
                 {"let", Let},
                 {"in", In},
                 {"do", Do},
                 {"where", Where},
                 {"_", Underscore}};
    l.symbols = {{"=", Equals},    {"::", Colons},        {"|", Bar},          {".", Dot},  {"<-", LeftArrow}, {"->", RightArrow},
                 {"\\", Lambda},   {"&&", AndAnd},        {"||", OrOr},        {"#", Hash}, {",", Comma},      {";", Semicolon},
                 {"`", Backquote}, {"->>", ClosureArrow}, {">>=", BlockArrow}, {"@", Enter}};
    l.brackets       = {{"(", LParen, ")", RParen}, {"[", LBracket, "]", RBracket}, {"{", LBrace, "}", RBrace}};
    l.operators      = "!#$%&*+./<=>?@\\^|-~:";
    l.line_comments  = {"--"};
    l.block_comments = {{"{-", "-}"}};
    l.in_names       = "'$";
    l.has_floats     = false;
    l.has_suffixes   = true;
    return l;
}

const front::Lexicon& lexicon() {
    static const front::Lexicon table = make_lexicon();
    return table;
}

} // namespace mim::plug::mil
