// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <string_view>

namespace mim::plug::regex {

/// The number of newlines in a text, 32 characters at a time where the processor can.
size_t count_newlines(std::string_view text);

} // namespace mim::plug::regex
