// SPDX-License-Identifier: MIT
// Text to tokens, all at once: UTF-8, maximal munch. The token array ends with Eof and knows the partner of each round, square
// and curly bracket, which is what lets the parser tell `(a, b): T` from `(a, b)` without reading it twice. Whatever cannot be
// read becomes one Error token and one error; no input fails.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.h"
#include "syntax/parse.h"
#include "syntax/token.h"

namespace mim {

/// The value of a literal token. Nat: value. Idx: value, size (0 is 2^64) and form. Char: value. String: `size` bytes at
/// `value` of LexResult::bytes. Floats are their text.
struct Literal {
    uint64_t value;
    uint64_t size;
    ast::IdxForm form;
};

struct Comment {
    enum Kind : uint8_t { Line, Block, Doc };
    Kind kind;
    bool own_line; ///< nothing but white space before it in its line
    uint32_t begin, end;
    uint32_t token; ///< the index of the token that follows
};

/// A diagnostic that is not reported yet, so that those of the lexer and the parser come in the order of the text.
struct LexError {
    Diag id;
    uint32_t begin, end;
    DiagArgs args;
};

struct LexResult {
    std::vector<Token> tokens;
    std::vector<Literal> literals;
    std::string bytes;
    std::vector<Comment> comments; ///< only the `///` ones unless all were asked for
    std::vector<LexError> errors;  ///< each has an Error token
    bool dotted = false;           ///< some keyword had a leading dot
};

struct LexOptions {
    Dialect dialect   = Dialect::Mim;
    bool all_comments = false;
};

LexResult lex(std::string_view text, LexOptions = {});

} // namespace mim
