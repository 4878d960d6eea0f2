// SPDX-License-Identifier: MIT
// Sets of characters as they are written in texts of patterns: code points. A set of ASCII characters, and its complement, is one of bytes,
// as in Perl without Unicode, unless it is widened; a set with other characters is one of their UTF-8 encodings.
#pragma once
#include <string_view>

#include "pattern.h"

namespace mim::plug::regex {

class CodePoints {
public:
    static CodePoints of(uint32_t lo, uint32_t hi);
    static CodePoints bytes(unsigned lo, unsigned hi);
    /// What `\d`, `\w`, `\s`, `\h`, `\v` stand for.
    static bool named(char, CodePoints&);
    /// What `[:alpha:]` and its like stand for.
    static bool posix(std::string_view, CodePoints&);

    CodePoints& operator|=(const CodePoints&);
    CodePoints complement() const;
    /// Letters of ASCII get their other case.
    void fold();
    /// The complement of a set of ASCII, which is one of bytes, gets all other characters instead.
    void widen();
    bool is_bytes() const { return wide_.empty(); }
    const Def* pattern(World&) const;

private:
    Set bytes_;                                       ///< if wide_ is empty; else only those below 128 count
    std::vector<std::pair<uint32_t, uint32_t>> wide_; ///< from 128 on
};

/// One character of a set of bytes.
const Def* chars(World&, const Set&);
/// One character from lo to hi, in UTF-8.
const Def* utf8_range(World&, uint32_t lo, uint32_t hi);

/// `conj`, `disj` or `alt` of these patterns.
template<class Enum>
const Def* nary(World& w, const DefVec& ops) {
    return w.apply<Enum>(ops.size(), Defs(ops));
}
/// The same, but of one pattern that pattern.
template<class Enum>
const Def* one_or(World& w, const DefVec& ops) {
    return ops.size() == 1 ? ops[0] : nary<Enum>(w, ops);
}

} // namespace mim::plug::regex
