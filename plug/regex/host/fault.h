// SPDX-License-Identifier: MIT
#pragma once
#include "ir/error.h"
#include "regex/host/regex.h"

namespace mim::plug::regex {

/// Before the text of a pattern whose letters have no case.
inline constexpr std::string_view no_case = "(?i)";

/// An error in a pattern, of whose text the first `added` characters are not the user's.
Regex::Fault fault_of(const Error&, size_t added);

} // namespace mim::plug::regex
