// SPDX-License-Identifier: MIT
// Just enough of Unicode to put a caret under the right column and to write text that a terminal or a JSON reader survives.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace mim::utf8 {

constexpr char32_t kInvalid = 0xfffd;

/// Bytes of the well-formed character that the text begins with; 0 if there is none.
uint32_t size(std::string_view text);
/// Takes the first character off the text (not empty); kInvalid takes one byte off.
char32_t next(std::string_view& text);
void append(std::string& out, char32_t c);
/// Columns in a terminal: 0 for combining marks, 2 for East Asian wide characters and emoji, else 1.
int width(char32_t c);
/// Control characters (line breaks and tabs too) that would disturb a terminal.
bool is_control(char32_t c);
size_t count(std::string_view text);
/// `0xff`: a byte that is no character, for a message.
std::string byte_name(char byte);

} // namespace mim::utf8
