// SPDX-License-Identifier: MIT
// Words of other languages, for messages.
#pragma once
#include <string_view>
#include <utility>

namespace mim {

/// A word of another language: how Mim says it; empty if it is none.
inline std::string_view instead_of(std::string_view word) {
    constexpr std::pair<std::string_view, std::string_view> kWords[] = {
        {"if", "`(no, yes)#c` chooses by the `Bool` c"},
        {"while", "a loop is a function that calls itself"},
        {"for", "a loop is a function that calls itself"},
        {"int", "integers have the types `I8`, `I16`, `I32` and `I64`"},
        {"char", "the type of bytes is `I8`"},
        {"string", "a string is an array of bytes, of type `«n; I8»`"},
        {"true", "the values of `Bool` are `ff` and `tt`"},
        {"false", "the values of `Bool` are `ff` and `tt`"},
        {"void", "the type without information is `[]`"},
        {"or", "this is written `a || b`"},
        {"not", "this is written `!a`"},
        {"mod", "the remainder is written `a % b`"},
        {"Int", "integers have the types `I8`, `I16`, `I32` and `I64`"},
        {"Integer", "integers have the types `I8`, `I16`, `I32` and `I64`"},
        {"Char", "the type of bytes is `I8`"},
        {"String", "a string is an array of bytes, of type `«n; I8»`"},
        {"case", "this is written `match e with | p => a | q => b`"},
        {"switch", "this is written `match e with | p => a | q => b`"},
    };
    for (auto& [w, text] : kWords)
        if (w == word) return text;
    return {};
}

/// A word that names a module elsewhere, where Mim has `plugin` and `import`.
inline bool is_foreign_import(std::string_view word) {
    constexpr std::string_view kWords[] = {"use", "using", "include", "open", "require", "from"};
    for (auto w : kWords)
        if (w == word) return true;
    return false;
}

/// A word that begins the declaration of a value or a type elsewhere, where Mim has `let`.
inline bool is_foreign_let(std::string_view word) {
    constexpr std::string_view kWords[] = {"const", "var", "val", "type", "auto"};
    for (auto w : kWords)
        if (w == word) return true;
    return false;
}

} // namespace mim
