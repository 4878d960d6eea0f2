// SPDX-License-Identifier: MIT
// Polara, a language of functions and arrays:
//
//     program = [ "math" ("strict" | "fast") ] { ["extern"] "def" NAME ["{" NAME… "}"] ["(" NAME… ":" type {"," …} ")"] [":" type] ":=" block }
//     type    = ptype ["->" type] | size "=>" type        ptype = atype ["*" ptype]
//     atype   = "nat" | "flt" | "bool" | "fin" satom | "(" type ")"
//     block   = { "let" pat [":" type] ":=" block sep } expr          pat = NAME | "_" | "(" pat "," pat ")"          sep = ";" or offside
//     expr    = "fun" NAME… [":" type] {"," NAME… [":" type]} "." expr  |  ("for" | "sum") NAME [":" size] {NAME [":" size]} "." expr
//             | "if" expr "then" block "else" block  |  ("fold" | "scan") NAME ":=" op "for" NAME [":" size] "." expr  |  op
//     op      = sums [("==" | "<") sums]     sums: + -     products: * /     application: f a b     postfix: a[i, …]  e.1  e.2  f(a, b)
//     atom    = NAME | 7 | 1.5 | 2e-3 | -NUMBER | "true" | "false" | "(" block {"," block} ")"
//
// A block has the column of its first token if that is the first of its line or `let`, else that of the block around
// it.
#pragma once
#include <optional>

#include "ainf/list/list.h"
#include "driver/ends.h"
#include "front/scanner.h"
#include "phase/phase.h"
#include "polara/types.h"

namespace mim::plug::polara {

/// The kinds of its tokens.
enum Tok : front::Kind {
    DefWord = front::kFirstOwn,
    Extern,
    Let,
    Fun,
    For,
    Sum,
    If,
    Then,
    Else,
    Fold,
    Scan,
    True,
    False,
    Plus,
    Minus,
    Star,
    Slash,
    Less,
    EqualEqual,
    Times,
    Assign,
    Colon,
    Semicolon,
    Comma,
    Dot,
    Arrow,
    DoubleArrow,
    LParen,
    RParen,
    LBracket,
    RBracket,
    LBrace,
    RBrace,
};

const front::Lexicon& lexicon();

/// Reads the text. Nothing after an error.
bool parse(FrontEndContext&, Program&, Types&);
/// Finds all types. False after an error.
bool infer(FrontEndContext&, Program&, Types&);
/// Makes functions of the World of what is visible outside.
void build(FrontEndContext&, Program&, Types&);

/// The front end.
std::optional<FrontEndProgram> read_polara(FrontEndContext&);

/// A term in normal form: what is bound by `let` is copied, and calls, elements and parts of known things are computed.
const mim::Def* normalize(World&, const mim::Def* term);
/// The list of a term. Throws an Error if that is too large.
ainf::List convert(World&, const mim::Def* term);
/// The same of the term in normal form, where nothing that is bound or passed is computed more than once.
ainf::List convert_shared(World&, const mim::Def* term);

} // namespace mim::plug::polara
