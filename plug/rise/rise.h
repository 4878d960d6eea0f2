// SPDX-License-Identifier: MIT
// RISE, a functional language of arrays:
//
//     file  = { "import" STRING | ["export"] "def" x [":" type] ["by" strategy] "=" e | "strategy" x ["(" x ":" kind {","…} ")"] "=" strategy ";" }
//     e     = "fun" "(" x [":" type] {","…} "=>" e ")"  |  "depFun" "(" (binders | "(" binders ")") ["where" fact {"," fact}] "=>" e ")"
//           | "let" x "=" e ";" e  |  "if" e "then" e "else" e  |  e op e  |  "-" e  |  "!" e  |  e "(" arg {","…} ")"  |  e "@" arg  |  e ".1"  |  e ".2"
//           | "(" e "," e ")"  |  "[" e {","…} "]"  |  "(" e ":" type ")"  |  x  |  literal  |  "?"          binders = x {"," x} ":" kind {","…}
//     op    = * / %,  + -,  < <= > >= == !=,  &&,  ||,  >>,  |>                 the strongest first, all to the left
//     kind  = "Nat" | "DataType" | "AddrSp" | "Nat" "->" "Nat"
//     fact  = n "|" n | n ("<=" | "<" | "==") n            arg = e | dt | n | address space | x "=>" n, also in parentheses (a function of sizes)
//     type  = dt | type "->" type | "(" type ")" | "(" x ":" kind ")" "->" type | "{" x ":" kind "}" "->" type
//     dt    = x | a scalar | "Array" "[" n "," dt "]" | n "." dt | "Tuple" "[" dt "," dt "]" | "(" dt "," dt ")" | "Idx" "[" n "]" | "Vec" "[" n "," dt "]"
//     n     = literal | x | n (+ - * / % ^) n | x "(" n ")" | ("min" | "max") "(" n "," n ")"
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "driver/ends.h"
#include "front/scanner.h"
#include "phase/phase.h"
#include "tree.h"

namespace mim::plug::rise {

class Types;

/// The kinds of its tokens.
enum Tok : front::Kind {
    Import = front::kFirstOwn,
    Export,
    DefWord,
    By,
    StrategyWord,
    Fun,
    DepFun,
    Where,
    Let,
    If,
    Then,
    Else,
    True,
    False,
    Equals,
    Colon,
    Semicolon,
    Comma,
    Dot,
    Arrow,
    DoubleArrow,
    At,
    Question,
    Bar,
    Minus,
    Bang,
    Caret,
    Less,
    LessEqual,
    EqualEqual,
    Infix,
    Other, ///< of strategies
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
};

const front::Lexicon& lexicon();

/// Reads the text. False after an error.
bool parse(FrontEndContext&, Program&);
/// Reads a type, which belongs to no file.
Expr* parse_type(std::string_view text, Program&);
/// Finds all types. False after an error.
bool infer(FrontEndContext&, Program&, Types&);
struct Built {
    std::string text;                                          ///< of the program that can be called from outside, if it is shown
    std::function<std::string(World&, const Lam*)> print = {}; ///< the same of what phases make of it
    /// Reports why the last definition, which nobody exports, is no program: only who wants a program of the file hears of it.
    std::function<void()> refuse = {};
};
/// Makes functions of the World of what is visible outside. The program and its types live as long as what it returns.
Built build(FrontEndContext&, const Program&, Types&);

/// Makes operations on tensors of programs.
void lower(PhaseContext&);

} // namespace mim::plug::rise
