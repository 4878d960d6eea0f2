// SPDX-License-Identifier: MIT
#include "front/literal.h"

#include "diag/utf8.h"
#include "front/chars.h"

namespace mim::front {

std::optional<uint64_t> read_digits(std::string_view digits, unsigned base) {
    uint64_t value = 0;
    for (char c : digits)
        if (!push_digit(value, base, digit_value(c))) return {};
    return value;
}

Escape read_escape(std::string_view text) {
    constexpr std::string_view from = "0ntrabfv\\\"'", to{"\0\n\t\r\a\b\f\v\\\"'", 11};
    char c                          = text.size() > 1 ? text[1] : '\0';
    auto simple                     = c == '\0' ? from.npos : from.find(c);
    if (simple != from.npos) return {2, static_cast<unsigned char>(to[simple])};
    bool is_hex = c == 'x' && text.size() > 3 && digit_value(text[2]) < 16 && digit_value(text[3]) < 16;
    if (is_hex) return {4, static_cast<int>(digit_value(text[2]) * 16 + digit_value(text[3]))};
    bool ends_line = c == '\0' || c == '\n' || c == '\r';
    return {ends_line ? 1 : 1 + utf8::size(text.substr(1)), -1};
}

} // namespace mim::front
