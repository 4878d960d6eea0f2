// SPDX-License-Identifier: MIT
// Sets of characters as they are written in texts of patterns: code points. A set of ASCII characters, and its complement, is one of bytes,
// as in Perl without Unicode, unless it is widened; a set with other characters is one of their UTF-8 encodings.
#pragma once
#include <string_view>

#include "regex/host/tree.h"

namespace mim::plug::regex {

class CodePoints {
public:
    static CodePoints of(uint32_t lo, uint32_t hi);
    static CodePoints bytes(unsigned lo, unsigned hi);
    /// The characters that `\d`, `\w`, `\s`, `\h`, `\v` stand for.
    static bool named(char, CodePoints&);
    /// The characters that `[:alpha:]` and its like stand for.
    static bool posix(std::string_view, CodePoints&);

    CodePoints& operator|=(const CodePoints&);
    CodePoints complement() const;
    /// Letters of ASCII get their other case.
    void fold();
    /// The complement of a set of ASCII, which is one of bytes, gets all other characters instead.
    void widen();
    bool is_bytes() const { return wide_.empty(); }
    const Pattern* pattern(Trees&) const;

private:
    Set bytes_;                                       ///< if wide_ is empty; else only those below 128 count
    std::vector<std::pair<uint32_t, uint32_t>> wide_; ///< from 128 on
};

/// One character from lo to hi, in UTF-8.
const Pattern* utf8_range(Trees&, uint32_t lo, uint32_t hi);

inline constexpr uint32_t max_code_point = 0x10ffff;

} // namespace mim::plug::regex
