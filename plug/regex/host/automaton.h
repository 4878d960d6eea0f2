// SPDX-License-Identifier: MIT
// Automata. The nondeterministic one is a graph whose nodes read a character, look at the next symbol, or go on in several ways, the
// preferred one first. The deterministic one works on classes of symbols that no pattern tells apart; it says of each transition
// whether what was read before is a match, since an assertion may depend on the symbol that follows.
#pragma once
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "regex/host/tree.h"

namespace mim::plug::regex {

inline constexpr size_t max_states = 1 << 12; ///< of a deterministic one
inline constexpr size_t max_cells  = 1 << 18; ///< states times classes
inline constexpr size_t max_work   = 1 << 26; ///< steps that making it deterministic may take

inline constexpr size_t max_chain = 62;   ///< characters that are compared at once
inline constexpr size_t min_run   = 8;    ///< that are worth being counted
inline constexpr size_t max_run   = 1024; ///< that are looked at to see that they are one run

inline constexpr size_t max_groups = 256;     ///< that can be asked for
inline constexpr size_t max_places = 1 << 21; ///< nodes of a nondeterministic automaton times groups

struct Nfa {
    enum Kind : uint8_t {
        Read,
        Look,
        Split,
        Loop, ///< into another round and what follows, or the other way round if `lazy`; behind a round that read nothing, only what follows
        Enter, ///< the first round of a loop
        Match, ///< of the pattern with number `set`, if there are several
        Save,  ///< the position, in slot `set`: groups begin in even slots, and end in odd ones
        Open,  ///< a language, then its `Close`
        Leave, ///< the language has a match
        Close, ///< what follows the language, if it has a match: its longer texts are preferred, so all of it was tried before
    };
    struct Node {
        Kind kind;
        uint8_t before = Anywhere;
        bool lazy      = false;
        uint8_t depth  = 0; ///< Loop, Enter: of such loops, one in the other, at most 63
        uint32_t set   = 0; ///< what is read, or comes next
        uint32_t first = 0; ///< of `ways`, those that follow
        uint32_t count = 0;

        uint64_t loop() const { return uint64_t(1) << depth; }
    };
    std::vector<Node> nodes; ///< millions for a set of words, so they are small
    Ids ways;                ///< the nodes that follow, of each node one after the other
    Sets sets;
    uint32_t start = 0;
    bool ordered   = false; ///< the first match counts, not the longest
    bool searches  = false; ///< a match may begin at any position, preferably at the first one

    std::span<const uint32_t> next(const Node& node) const { return std::span(ways).subspan(node.first, node.count); }
    /// Sets what follows a node, for good.
    void lead(uint32_t node, std::span<const uint32_t> to) {
        nodes[node].first = uint32_t(ways.size());
        nodes[node].count = uint32_t(to.size());
        ways.insert(ways.end(), to.begin(), to.end());
    }
};
/// Whether a pattern that is matched at one place says which match is meant. If one ends at the end of the subject
/// there is at most one, whatever the order is.
inline bool is_ordered(const Pattern& pattern) { return pattern.ordered && !pattern.is_whole(); }
/// The automaton of a language in an ordered pattern: one that reads before it leaves, or one between `Open` and
/// `Close`.
enum class Inner : uint8_t { Deterministic, Enclosed };
/// None if it, or the deterministic automaton of a language in it, would get too large. Throws Error if loops are nested too deeply.
std::optional<Nfa> make_nfa(const Pattern&, bool ordered, Inner = Inner::Deterministic, size_t most = max_nodes);
/// The same for the leftmost match, wherever it begins, with two slots for its places if asked for.
std::optional<Nfa> make_search_nfa(const Pattern&, Inner = Inner::Deterministic, bool with_places = false,
                                   size_t most = max_nodes);
/// Of all matches, wherever they begin: none is preferred.
std::optional<Nfa> make_somewhere_nfa(const Pattern&, size_t most);
/// Of all matches of each pattern, wherever they begin, with its number.
std::optional<Nfa> make_set_nfa(std::span<const Pattern* const>, size_t most);
/// As threads run it, with the places of the groups from 1 up to this number.
std::optional<Nfa> make_group_nfa(const Pattern&, uint64_t groups);

struct Dfa {
    static constexpr uint32_t dead = 0; ///< the state without matches
    uint32_t states = 0, classes = 0;
    std::array<uint16_t, 257> class_of{};
    Ids to;                          ///< by state and class
    std::vector<uint8_t> accepts;    ///< likewise
    std::array<uint32_t, 4> start{}; ///< by what is before, in the order of Before
    uint32_t start_behind(unsigned c) const { return start[size_t(std::countr_zero(unsigned(behind(c))))]; }
    std::array<uint32_t, 4> again{}; ///< likewise, where the empty text is no match; only of one that searches

    size_t cell(uint32_t state, uint32_t cls) const { return size_t(state) * classes + cls; }
    size_t at(uint32_t state, size_t symbol) const { return cell(state, class_of[symbol]); }
    /// A match ends there, whatever follows or for some symbols only.
    bool accepts_at(uint32_t state) const;
    bool looks_back() const { return start != std::array{start[0], start[0], start[0], start[0]}; }
    /// Only the end of the subject is the end of a match.
    bool is_whole() const;
    /// From the first state no state is reached again, but maybe from itself.
    bool is_finite(bool but_itself = false) const;
    /// From no state another one is reached from which it is reached again: at most, a state leads to itself.
    bool is_straight() const { return is_finite(true); }
    /// The characters that lead from a state to itself, without the terminator.
    Set loop(uint32_t state) const;
    struct Run {
        Set set; ///< of its characters, without the terminator
        uint32_t least, most;
        uint32_t end;    ///< a state in which it may end: another character leads from there as from all of these
        uint32_t beyond; ///< where one more leads from `end`
    };
    /// A run of characters of one set begins in the state, and how many they are is all that it tells; of those that a chain of sets does not compare.
    std::optional<Run> run(uint32_t state) const;
    /// No state is reached again, and each has one that follows, at most.
    bool is_chain() const;
    Sets class_sets() const;
};
/// None if it would get too large.
std::optional<Dfa> make_dfa(const Nfa&);
/// The one with the fewest states (Hopcroft), numbered in the order in which they are reached.
Dfa minimize(const Dfa&);
/// Both; none also if there is no nondeterministic one.
std::optional<Dfa> make_minimal(const std::optional<Nfa>&);

} // namespace mim::plug::regex
