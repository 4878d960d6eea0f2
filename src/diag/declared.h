// SPDX-License-Identifier: MIT
// The diagnostics of a plugin, as its diagnostics.def declares them: cmake/MimDiagnostics.cmake makes a header of their names and a
// source of their texts and pages.
#pragma once
#include "diag/diag.h"

namespace mim {

class Def;

struct PluginDiag {
    DiagInfo info;
    std::string_view page;   ///< Markdown, for `mim explain`
    std::string_view former; ///< the code that it had before; empty if it never had another one
};

/// A text that belongs to a diagnostic: its page by its code, or its former code by its name.
struct DiagText {
    std::string_view key, text;
};

/// The text of this key; empty if there is none.
consteval std::string_view find_text(std::span<const DiagText> texts, std::string_view key) {
    for (auto& t : texts)
        if (t.key == key) return t.text;
    return {};
}

/// Whether the message has the holes {0} to {count - 1}, and no others.
consteval bool has_holes(std::string_view message, size_t count) {
    if (count > 10) return false;
    bool seen[10] = {};
    for (size_t i = 0; i + 2 < message.size(); ++i) {
        bool is_hole = message[i] == '{' && message[i + 2] == '}' && message[i + 1] >= '0' && message[i + 1] <= '9';
        if (!is_hole) continue;
        auto number = static_cast<size_t>(message[i + 1] - '0');
        if (number >= count) return false;
        seen[number] = true;
    }
    for (size_t i = 0; i < count; ++i)
        if (!seen[i]) return false;
    return true;
}

template<class... Args>
consteval DiagInfo declare_diag(std::string_view name, std::string_view code, Severity severity, std::string_view message) {
    if (!has_holes(message, sizeof...(Args))) throw "the message must have a hole {0}, {1}, … for each argument";
    return {name, code, severity, message};
}

} // namespace mim
