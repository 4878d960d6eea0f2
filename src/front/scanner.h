// SPDX-License-Identifier: MIT
// Text to tokens by tables, for the languages of plugins: words, symbols, operators, numbers, strings and comments. Each language has
// its own kinds of tokens, an enumeration that goes on where the kinds of all languages end:
//
//     enum Tok : front::Kind { Let = front::kFirstOwn, In, Arrow, LParen, RParen };
//     static const front::Lexicon lexicon = {
//         .words    = {{"let", Let}, {"in", In}},
//         .symbols  = {{"->", Arrow}, {"→", Arrow}},
//         .brackets = {{"(", LParen, ")", RParen}},
//         .operators = "+-*/<=>",
//         .line_comments = {"--"},
//     };
//     auto tokens = front::scan(file, text, lexicon, diags);
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "diag/diag.h"
#include "front/literal.h"
#include "front/token.h"

namespace mim::front {

using Kind = uint16_t;

/// Kinds that every language has.
enum CommonKind : Kind {
    End,      ///< of the text; the last token
    Error,    ///< has a report
    Name,     ///< a letter, and letters and digits behind it, which is no word of the language
    Integer,  ///< decimal, `0x…` or `0b…`
    Float,    ///< `1.5`, `2e-3`
    String,   ///< in double quotes; its bytes are in Tokens::strings
    Operator, ///< the longest run of operator characters, unless it is a symbol of the language
    Item,     ///< made by a layout: the next token begins an item of a block
    Close,    ///< made by a layout: the next token is behind the block
    kFirstOwn,
};

struct Token : BasicToken<Kind> {
    /// From 1, in characters, where a tab goes to the next multiple of eight.
    uint32_t column;
    /// Nothing but space is before it in its line.
    bool is_first;
};

/// The tables of a language.
struct Lexicon {
    struct Spelling {
        std::string_view text;
        Kind kind;
    };
    struct Bracket {
        std::string_view open;
        Kind opener;
        std::string_view close;
        Kind closer;
    };
    std::vector<Spelling> words = {};
    /// The longest one that fits is taken. One that consists of operator characters must be the whole operator.
    std::vector<Spelling> symbols = {};
    std::vector<Bracket> brackets = {};
    /// A sign of other languages that this one lacks, and the end of the message that tells its replacement: `&&` and
    /// "`if a then b else false`".
    struct Foreign {
        std::string_view text, instead;
    };
    std::vector<Foreign> foreign = {};
    std::string_view operators   = {};
    /// A comment that a run of operator characters begins needs to be the whole run, or the run to repeat its last character.
    std::vector<std::string_view> line_comments = {};
    struct Delimiters {
        std::string_view begin, end;
    };
    std::vector<Delimiters> block_comments = {}; ///< may be nested
    std::string_view in_names              = {}; ///< more characters of names, such as `'`; not the first one
    std::string_view doc_comment           = {}; ///< begins a line comment that documents the declaration below it
    bool has_strings                       = true;
    bool has_floats                        = true;  ///< without them, `1.5` is a number, a dot and a number
    bool has_suffixes                      = false; ///< letters behind a number belong to it, as in `3u8`
    bool allows_tabs                       = true;
    Escape (*escape)(std::string_view)     = read_escape; ///< reads an escape of a string or a character
    Kind character                         = End; ///< of `'c'`, whose code point is the token's `extra`; End: there are none
};

struct Comment {
    uint32_t begin, end;
    uint32_t text;  ///< where it begins behind its mark
    uint32_t token; ///< the position of the token that follows
    bool is_first;  ///< nothing but space is before it in its line
    bool documents;
};

/// The tokens of a text; `extra` of a string is an index into `strings`. A stream for BasicCursor.
struct Tokens {
    std::vector<Token> tokens;
    std::vector<std::string> strings;
    std::vector<Comment> comments;

    const Token& operator[](size_t i) const { return tokens[i < tokens.size() ? i : tokens.size() - 1]; }
    Token& operator[](size_t i) { return tokens[i < tokens.size() ? i : tokens.size() - 1]; }
    uint32_t last() const { return static_cast<uint32_t>(tokens.size()) - 1; }
    /// The text of the comments that document the token at this position: they are first in their lines, right above it, and without the
    /// characters that begin them.
    std::string doc_of(uint32_t token, std::string_view text) const;
};

/// Never fails: text that has no meaning becomes tokens of the kind Error and reports. Linear in the length of the text.
Tokens scan(FileId, std::string_view text, const Lexicon&, Diagnostics&);

/// The value of an Integer; nothing if 64 bits do not suffice.
std::optional<uint64_t> integer_value(std::string_view text);

} // namespace mim::front
