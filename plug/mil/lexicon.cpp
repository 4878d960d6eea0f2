// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "diag/utf8.h"
#include "front/chars.h"
#include "reader.h"

namespace mim::plug::mil {

// ---- escapes, as Haskell has them
// --------------------------------------------------------------------------------------------

using front::Escape;

static constexpr std::array<std::string_view, 33> kControls{
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "BEL", "BS", "HT",  "LF",  "VT", "FF", "CR", "SO", "SI", "DLE",
    "DC1", "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US", "SP"};

/// `\65`, `\o101` or `\x41`: the code of a character.
static Escape numeric_escape(std::string_view text) {
    unsigned base  = text[1] == 'x' ? 16 : text[1] == 'o' ? 8 : 10;
    uint32_t first = base == 10 ? 1 : 2;
    uint32_t end   = first;
    uint64_t code  = 0;
    bool fits      = true;
    for (; end < text.size() && front::digit_value(text[end]) < base; ++end)
        fits &= front::push_digit(code, base, front::digit_value(text[end]));
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    bool is_character = end != first && fits && code < 0x110000 && !is_surrogate;
    return {end, is_character ? static_cast<int>(code) : -1};
}

/// Between two `\`, space stands for nothing.
static Escape gap(std::string_view text) {
    auto end      = text.find_first_not_of(" \t\n\r", 1);
    bool is_whole = end != text.npos && text[end] == '\\';
    return is_whole ? Escape{static_cast<uint32_t>(end) + 1, Escape::kNothing} : Escape{1, -1};
}

/// The longest name of a control character.
static Escape named_escape(std::string_view text) {
    Escape result{0, -1};
    for (size_t i = 0; i != kControls.size(); ++i) {
        auto size   = static_cast<uint32_t>(kControls[i].size()) + 1;
        bool is_one = text.substr(1).starts_with(kControls[i]) && size > result.size;
        if (is_one) result = {size, static_cast<int>(i)};
    }
    if (text.substr(1).starts_with("DEL")) return {4, 127};
    return result;
}

static Escape escape(std::string_view text) {
    constexpr std::string_view kFrom = "ntrabfv\\\"'", kTo = "\n\t\r\a\b\f\v\\\"'";
    char c = text.size() > 1 ? text[1] : '\0';
    if (auto simple = kFrom.find(c); c != '\0' && simple != kFrom.npos) return {2, static_cast<unsigned char>(kTo[simple])};
    bool is_number = front::is_digit(c) || c == 'x' || c == 'o';
    bool is_space  = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '&') return {2, Escape::kNothing};
    if (is_number) return numeric_escape(text);
    if (is_space) return gap(text);
    bool is_control = c == '^' && text.size() > 2 && text[2] >= '@' && text[2] <= '_';
    if (is_control) return {3, text[2] - '@'};
    auto named = named_escape(text);
    if (named.size != 0) return named;
    return {c == '\0' ? 1 : 1 + utf8::size(text.substr(1)), -1};
}

// ---- tables
// ------------------------------------------------------------------------------------------------------------------

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
    l.escape         = escape;
    l.character      = Character;
    return l;
}

const front::Lexicon& lexicon() {
    static const front::Lexicon table = make_lexicon();
    return table;
}

} // namespace mim::plug::mil
