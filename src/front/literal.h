// SPDX-License-Identifier: MIT
// Parts of literals that languages spell alike: digits, escapes of C.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace mim::front {

/// Adds a digit; false if 64 bits do not suffice.
inline bool push_digit(uint64_t& value, unsigned base, unsigned digit) {
    return !__builtin_mul_overflow(value, uint64_t(base), &value) && !__builtin_add_overflow(value, uint64_t(digit), &value);
}

/// The number that these digits of a base up to 16 write; nothing if 64 bits do not suffice.
std::optional<uint64_t> read_digits(std::string_view digits, unsigned base);

/// An escape: how many bytes it takes, the `\` among them, and the byte that it stands for, -1 if there is no such escape. Other
/// languages than Mim have escapes for characters above 255, and some that stand for nothing.
struct Escape {
    static constexpr int kNothing = -2;
    uint32_t size;
    int byte;
};

/// Reads `\0 \n \t \r \a \b \f \v \\ \" \'` or `\xHH`, which the text begins with. Of an unknown escape, `size` covers the character
/// behind the `\`, unless that ends the line.
Escape read_escape(std::string_view text);

} // namespace mim::front
