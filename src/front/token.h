// SPDX-License-Identifier: MIT
// Tokens know their text by its place. `Kind` is the enumeration of a language; Mim has its own lexer and kinds, the languages of
// plugins share the scanner of scanner.h.
#pragma once
#include <cstdint>

namespace mim::front {

/// No token, or no partner.
constexpr uint32_t kNone = ~uint32_t(0);

template<class Kind>
struct BasicToken {
    Kind tok;
    uint32_t begin, end;
    /// Of a bracket, the position of its partner, or kNone. Other tokens use it as their lexer says.
    uint32_t extra;
};

} // namespace mim::front
