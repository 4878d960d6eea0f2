// SPDX-License-Identifier: MIT
// A language of functions:
//
//     file  = { "type" NAME "=" type
//             | ("infixl" | "infixr" | "infix") NUMBER OPERATOR "=" NAME
//             | "def" NAME "(" [NAME ":" type {"," NAME ":" type}] ")" ":" type "=" expr }       each at the start of a line
//     type  = atype ["->" type]                atype = "Int" | "Bool" | NAME | "(" [type {"," type}] ")"
//     expr  = "let" {NAME "=" expr} "in" expr  |  "if" expr "then" expr "else" expr  |  "\" NAME ":" atype "->" expr  |  infix
//     infix = operand {OPERATOR operand}       operand = {"-" | "not"} atom {"(" [expr {"," expr}] ")" | "." NUMBER}
//     atom  = NAME | NUMBER | "true" | "false" | "(" expr {"," expr} ")"
//
// The equations of a `let` stand in one column. An operator stands for a function of two parameters. `Int` has 32 bits; a result that does
// not fit them is undefined, which `--checked` reports. The function `main` is the one that runs.
#pragma once
#include "driver/ends.h"
#include "front/scanner.h"

namespace lark {

/// The kinds of its tokens.
enum Tok : mim::front::Kind {
    Def = mim::front::kFirstOwn,
    Type,
    InfixL,
    InfixR,
    InfixN,
    Let,
    In,
    If,
    Then,
    Else,
    Not,
    True,
    False,
    LParen,
    RParen,
    Comma,
    Colon,
    Equals,
    Arrow,
    Backslash,
    Dot,
};

const mim::front::Lexicon& lexicon();
std::optional<mim::FrontEndProgram> read(mim::FrontEndContext&);
std::optional<std::string> lay_out(mim::FormatContext&);

} // namespace lark
