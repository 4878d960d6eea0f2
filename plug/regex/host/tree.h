// SPDX-License-Identifier: MIT
// A pattern as a tree, in the few forms that automata are made of. Symbols are the bytes of a subject and its end,
// which is one more, so that assertions are sets of symbols like everything else.
#pragma once
#include <array>
#include <bitset>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/error.h"
#include "regex/annexes.h"

namespace mim::plug::regex {

inline constexpr size_t max_nodes = 1 << 17; ///< of a pattern, and of a nondeterministic automaton

inline constexpr size_t End = 256; ///< the symbol behind the last character
using Set                   = std::bitset<257>;
using Sets                  = std::vector<Set>;
using Ids                   = std::vector<uint32_t>; ///< of states, nodes or classes

Set range_set(unsigned lo, unsigned hi);
Set word_set();
/// Runs of characters of a set, in order.
std::vector<std::pair<unsigned, unsigned>> runs(const Set&);

/// The kinds of text that may be before a position.
enum Before : uint8_t { AtStart = 1, AfterLine = 2, AfterWord = 4, AfterOther = 8, Anywhere = 15 };
/// The kind that a character is to the position behind it.
Before behind(unsigned c);

struct Pattern {
    enum Op : uint8_t {
        Chars, ///< one character of `set`
        Look,  ///< nothing, if what is before is in `before` and the next symbol in `set`
        Conj,
        Disj,
        Alt,
        Quant, ///< of one pattern: at most once unless `many`, and maybe not at all if `none`
        Group, ///< one pattern whose place is asked for
    };
    Op op         = Conj;
    bool ordered  = false; ///< it says which match is meant; else it is a language, of which the longest text is
    bool nullable = false; ///< it may match the empty text
    bool none = false, many = false, lazy = false;
    int64_t length                   = 0; ///< of all its texts; -1: they differ
    uint64_t number                  = 0; ///< Group
    uint8_t before                   = Anywhere;
    Set set                          = {};
    std::vector<const Pattern*> kids = {};

    bool is_single() const { return op == Chars || op == Look; }
    /// A match ends at the end of the subject, so there is at most one.
    bool is_whole() const;
};

/// Throws Error: the pattern is wrong.
[[noreturn]] void fail(Error);
/// Throws Error: of something there are more than so many.
[[noreturn]] void too_large(const std::string& what, uint64_t at_most);

/// Owns the parts of trees, which may share some.
class Trees {
public:
    const Pattern* make(Pattern);
    const Pattern* chars(const Set& set) { return make({.op = Pattern::Chars, .set = set}); }
    /// The same one each time, of which words are made.
    const Pattern* character(unsigned char);
    /// One part is itself, but for an Alt, which gives it an order.
    const Pattern* nary(Pattern::Op, std::vector<const Pattern*> kids);
    /// The same one each time.
    const Pattern* place(at);
    /// Which place this part is.
    std::optional<at> place_of(const Pattern*) const;

    /// The language of the texts read backwards: what is before a position and what comes next change places.
    const Pattern& reversed(const Pattern&);
    /// The pattern within one line: characters are no newlines, and the ends of the subject those of a line. Without
    /// groups.
    const Pattern& in_lines(const Pattern&);

private:
    const Pattern* look(uint8_t before, Set next);
    const Pattern* make_place(at);

    std::deque<Pattern> all_;
    std::array<const Pattern*, 8> places_{}; ///< by subtag of %regex.at
    std::array<const Pattern*, 256> characters_{};
    std::unordered_map<const Pattern*, const Pattern*> reversed_, in_lines_;
};

} // namespace mim::plug::regex
