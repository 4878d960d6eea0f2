// SPDX-License-Identifier: MIT
// Searching. Two automata find the leftmost match: one reads forward and knows where it ends; then one of the reversed
// pattern reads backward from there and knows where it begins. Where one of them would be too large, matches of
// bounded length are tried where they may begin; or the states of both are made while they run. If that is asked for,
// threads find where one ends, and then where the first one that ends there begins. So a search is linear in what it
// reads.
#pragma once
#include <variant>

#include "counter.h"
#include "plan.h"
#include "ways.h"

namespace mim::plug::regex {

struct Search {
    Dfa forward, backward;
    bool may_be_empty; ///< a match
    Ways ways;         ///< of the automaton that reads forward
};
struct SearchThreads {
    Threads ends, places;
    std::optional<Finder> first; ///< where a match may begin, if that is rare
};
/// The same as `Search`, but states are made while it runs.
struct SearchLazy {
    Threads ends, begins;
    bool may_be_empty;           ///< a match
    std::optional<Finder> first; ///< where a match may begin, if that is rare
};
/// A match is tried wherever one may begin, if that is rare, and none is long: a text is read as often as a match has characters at most.
struct SearchAttempts {
    Dfa anchored;
    Finder first;
};
using Searcher = std::variant<Search, SearchAttempts, SearchLazy, SearchThreads>;
/// Throws Error if the pattern is not known, or has too many parts. For `eager`, see find_ways.
Searcher make_search(World&, const Def* pattern, bool eager = false);

/// What counts the matches of a pattern that is a set of characters, or (`runs`) as many of these as there are: the bits of the rows for the halves of a
/// character share one if it is in the set.
struct Tally {
    bool runs = false;
    Finder::Row low{}, high{};
};
/// Of an automaton that reads forward, without ends that do not matter. None if it is no such pattern.
std::optional<Tally> make_tally(const Dfa& forward);
/// What counts its matches faster than searching for them on these ways; none if nothing does.
std::optional<Counter> faster_counter(const World&, const Search&);

/// The match at a position, in a subject with a terminator.
const Def* lazy_match(World&, const Threads&);
/// Functions that take `(mem, text, n, …)` and positions as numbers: `%regex.run.scan`, `.next` and `.count` with their tables, or the same
/// by threads or automata that are made while they run.
const Def* prefix_code(World&, Plan);
const Def* next_code(World&, const Searcher&);
const Def* count_code(World&, const Searcher&);

} // namespace mim::plug::regex
