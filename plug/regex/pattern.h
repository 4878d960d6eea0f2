// SPDX-License-Identifier: MIT
// A pattern as a tree: what the graph says, in the few forms that automata are made of. Symbols are the bytes of a subject and its
// end, which is one more, so that assertions are sets of symbols like everything else.
#pragma once
#include <bitset>
#include <deque>
#include <unordered_map>
#include <vector>

#include "ir/world.h"

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

/// What may be before a position.
enum Before : uint8_t { AtStart = 1, AfterLine = 2, AfterWord = 4, AfterOther = 8, Anywhere = 15 };
/// What a character is to the position behind it.
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
    uint64_t number                  = 0; ///< Group
    uint8_t before                   = Anywhere;
    Set set                          = {};
    std::vector<const Pattern*> kids = {};

    bool is_single() const { return op == Chars || op == Look; }
    /// A match ends at the end of the subject, so there is at most one.
    bool is_whole() const;
};

/// How to match it, as the pattern itself says.
struct Wish {
    int scheme = -1; ///< a subtag of %regex.by
};

/// Throws Error: the pattern is wrong.
[[noreturn]] void fail(Error);
/// Throws Error: of something there are more than so many.
[[noreturn]] void too_large(const std::string& what, uint64_t at_most);

class Patterns {
public:
    /// Where groups are not asked for, there are none.
    explicit Patterns(World& w, bool groups = false)
        : world_(w)
        , groups_(groups) {}
    /// Throws Error if something in it is not known, or it is nested too deeply.
    const Pattern& read(const Def*);
    /// The language of the texts read backwards: what is before a position and what comes next change places.
    const Pattern& reversed(const Pattern&);
    Wish wish;

private:
    const Pattern* make(Pattern);
    const Pattern* look(uint8_t before, Set next);
    const Pattern* compute(const Def*);
    const Pattern* place(const Def*);
    std::vector<const Pattern*> elems(const Def* app);

    World& world_;
    bool groups_;
    std::deque<Pattern> all_;
    std::unordered_map<const Def*, const Pattern*> memo_;
    std::unordered_map<const Pattern*, const Pattern*> reversed_;
    unsigned depth_ = 0;
};

/// The characters of a pattern that matches one character, if it is known to be such a pattern.
bool chars_of(const Def*, Set&);

} // namespace mim::plug::regex
