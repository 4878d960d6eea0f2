// SPDX-License-Identifier: MIT
// The lines of a `.ledger` file, for the plugin and for programs in C++ that are linked with libmim_ledger_host.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ledger {

struct Line {
    std::string name;
    std::vector<uint64_t> numbers;        ///< at least one
    uint32_t begin = 0, sum = 0, end = 0; ///< bytes of the text; from `sum` on they are the numbers
};

struct Fault {
    uint32_t begin, end; ///< bytes of the text
    std::string what;
};

/// The first fault, if there is one; else `lines` has all lines.
std::optional<Fault> read(std::string_view text, std::vector<Line>& lines);
/// The lines in their canonical layout.
std::string lay_out(const std::vector<Line>& lines);

} // namespace ledger
