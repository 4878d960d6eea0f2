// SPDX-License-Identifier: MIT
// Searching. Two automata find the leftmost match: one reads forward and knows where it ends; then one of the reversed pattern reads
// backward from there and knows where it begins. Where one of them would be too large, threads find where it ends, and then where the first
// one that ends there begins. So a search is linear in what it reads.
#pragma once
#include <variant>

#include "threads.h"
#include "ways.h"

namespace mim::plug::regex {

struct Search {
    Dfa forward, backward;
    bool may_be_empty; ///< a match
    Ways ways;         ///< of the automaton that reads forward
};
struct SearchThreads {
    Threads ends, places;
};
using Searcher = std::variant<Search, SearchThreads>;
/// Throws Error if the pattern is not known, or has too many parts. For `eager`, see find_ways.
Searcher make_search(World&, const Def* pattern, bool eager = false);

/// Functions that take `(mem, text, n, …)` and positions as numbers: `%regex.run.scan`, `.next` and `.count` with their tables, or the same
/// by threads. They throw Error as `make_search` does.
const Def* prefix_code(World&, const Def* pattern);
const Def* next_code(World&, const Def* pattern);
const Def* count_code(World&, const Def* pattern);

} // namespace mim::plug::regex
