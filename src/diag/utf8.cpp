// SPDX-License-Identifier: MIT
#include "diag/utf8.h"

namespace mim::utf8 {

namespace {

/// Bytes that the first byte announces; 0 if it cannot begin a character.
int length(unsigned char c) {
    if (c < 0x80) return 1;
    if (c >= 0xc2 && c <= 0xdf) return 2;
    if (c >= 0xe0 && c <= 0xef) return 3;
    if (c >= 0xf0 && c <= 0xf4) return 4;
    return 0;
}

struct Range {
    char32_t first, last;
    bool contains(char32_t c) const { return c >= first && c <= last; }
};

constexpr Range kZeroWidth[] = {
    {0x300, 0x36f},   {0x483, 0x489},   {0x591, 0x5bd},   {0x610, 0x61a},   {0x64b, 0x65f},   {0x1ab0, 0x1aff}, {0x1dc0, 0x1dff},
    {0x200b, 0x200f}, {0x202a, 0x202e}, {0x2060, 0x2064}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff},
};
constexpr Range kWide[] = {
    {0x1100, 0x115f}, {0x2e80, 0x303e},   {0x3041, 0x33ff},   {0x3400, 0x4dbf},   {0x4e00, 0x9fff},
    {0xa000, 0xa4cf}, {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe4f},   {0xff00, 0xff60},
    {0xffe0, 0xffe6}, {0x1f300, 0x1f64f}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd},
};

template<size_t N>
bool is_in(const Range (&ranges)[N], char32_t c) {
    for (auto& r : ranges)
        if (r.contains(c)) return true;
    return false;
}

} // namespace

uint32_t size(std::string_view text) {
    if (text.empty()) return 0;
    auto first = static_cast<unsigned char>(text[0]);
    auto n     = static_cast<size_t>(length(first));
    if (n <= 1) return static_cast<uint32_t>(n);
    if (text.size() < n) return 0;
    for (size_t i = 1; i < n; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
    auto second       = static_cast<unsigned char>(text[1]);
    bool is_overlong  = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    bool is_surrogate = first == 0xed && second > 0x9f;
    bool is_too_large = first == 0xf4 && second > 0x8f;
    return is_overlong || is_surrogate || is_too_large ? 0 : static_cast<uint32_t>(n);
}

char32_t next(std::string_view& text) {
    auto n     = size(text);
    auto first = static_cast<unsigned char>(text[0]);
    auto c     = n == 0 ? kInvalid : n == 1 ? char32_t(first) : char32_t(first & (0x7f >> n));
    for (size_t i = 1; i < n; ++i) c = c << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
    text.remove_prefix(n == 0 ? 1 : n);
    return c;
}

void append(std::string& out, char32_t c) {
    auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) return put(c);
    if (c < 0x800) return put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
    if (c < 0x10000) return put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
    put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
}

int width(char32_t c) {
    if (c < 0x300) return 1;
    if (is_in(kZeroWidth, c)) return 0;
    return is_in(kWide, c) ? 2 : 1;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

size_t count(std::string_view text) {
    size_t n = 0;
    for (; !text.empty(); ++n) next(text);
    return n;
}

std::string byte_name(char byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    auto bits                         = static_cast<unsigned char>(byte);
    return std::string("0x") + digits[bits >> 4] + digits[bits & 15];
}

} // namespace mim::utf8
