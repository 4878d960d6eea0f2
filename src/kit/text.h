// SPDX-License-Identifier: MIT
// Texts in a program, which are arrays of characters.
#pragma once
#include <optional>
#include <string>

#include "kit/match.h"

namespace mim {

/// The text of an array of characters; nothing if it is not known. One of equal characters is a pack, one of a single character is that character.
inline std::optional<std::string> literal_text(World& world, const Def* def) {
    auto size = lit_arity(world, def->type());
    if (size < 0) return {};
    std::string out;
    for (int64_t i = 0; i < size; ++i) {
        auto number = value(world, def, static_cast<uint64_t>(i));
        if (!number) return {};
        out += static_cast<char>(*number);
    }
    return out;
}

} // namespace mim
