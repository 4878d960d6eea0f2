// SPDX-License-Identifier: MIT
// The token table as data: descriptions for diagnostics, and a perfect-enough hash table for the words, made at compile time.
#include "syntax/token.h"

#include <array>

#include "syntax/print.h"

namespace mim {

namespace {

struct Word {
    std::string_view text;
    Tok tok = Tok::Ident;
};

constexpr bool is_word(std::string_view s) {
    return !s.empty() && ((s[0] >= 'a' && s[0] <= 'z') || (s[0] >= 'A' && s[0] <= 'Z'));
}

constexpr size_t kSlots = 256;
constexpr size_t slot(std::string_view s) {
    size_t h = s.size();
    for (char c : s) h = h * 31 + static_cast<unsigned char>(c);
    return h % kSlots;
}

constexpr auto make_words() {
    std::array<Word, kSlots> table{};
    auto add = [&](std::string_view text, Tok tok) {
        if (!is_word(text)) return;
        size_t i = slot(text);
        while (!table[i].text.empty()) i = (i + 1) % kSlots;
        table[i] = {text, tok};
    };
#define MIM_KEY(name, spelling) add(spelling, Tok::name);
#define MIM_PUNCT(name, ascii, unicode) add(ascii, Tok::name);
#define MIM_CLASS(name, description)
    MIM_TOKENS(MIM_KEY, MIM_PUNCT, MIM_CLASS)
#undef MIM_KEY
#undef MIM_PUNCT
#undef MIM_CLASS
    return table;
}

constexpr auto kWords = make_words();

} // namespace

Tok keyword(std::string_view word) {
    if (word.size() > 6) return Tok::Ident;
    for (size_t i = slot(word); !kWords[i].text.empty(); i = (i + 1) % kSlots)
        if (kWords[i].text == word) return kWords[i].tok;
    return Tok::Ident;
}

std::string_view describe(Tok tok) {
    static constexpr std::string_view kDescriptions[] = {
#define MIM_KEY(name, spelling) "`" spelling "`",
#define MIM_PUNCT(name, ascii, unicode) ascii[0] ? std::string_view("`" ascii "`") : std::string_view("`" unicode "`"),
#define MIM_CLASS(name, description) description,
        MIM_TOKENS(MIM_KEY, MIM_PUNCT, MIM_CLASS)
#undef MIM_KEY
#undef MIM_PUNCT
#undef MIM_CLASS
    };
    return kDescriptions[static_cast<size_t>(tok)];
}

bool is_keyword(std::string_view word) { return keyword(word) != Tok::Ident; }

bool is_identifier(std::string_view s) {
    if (s.empty() || s == "_" || (s[0] >= '0' && s[0] <= '9')) return false;
    for (char c : s)
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
    return !is_keyword(s);
}

} // namespace mim
