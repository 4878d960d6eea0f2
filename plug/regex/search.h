// SPDX-License-Identifier: MIT
// Searching. Two automata find the leftmost match: one reads forward and knows where it ends; then one of the reversed pattern reads
// backward from there and knows where it begins. Where one of them would be too large, threads find where it ends, and then where the first
// one that ends there begins. So a search is linear in what it reads.
#pragma once
#include <optional>
#include <string_view>
#include <variant>

#include "threads.h"

namespace mim::plug::regex {

/// Characters with which a match may begin: of its first `depth`, each is in one of eight groups of sets. Bit g of `low[k][h]` and of `high[k][h]`
/// says that the lower, or higher, half of character k may be h in group g. What has no bit left is no beginning of a match.
struct Beginnings {
    using Row                         = std::array<uint8_t, 16>;
    static constexpr size_t min_depth = 3, max_depth = 6;
    size_t depth = min_depth;
    std::array<Row, max_depth> low{}, high{};

    /// Whether a match may begin like that.
    bool have(std::string_view text) const;
    /// How likely it is, in texts as people write them, that a character is the first of such ones.
    double rate() const;
};
/// None if a match may be empty, or most places would be beginnings.
std::optional<Beginnings> beginnings(const Dfa&);

struct Search {
    Dfa forward, backward;
    bool may_be_empty; ///< a match
    std::optional<Beginnings> first;
};
struct SearchThreads {
    Threads ends, places;
};
using Searcher = std::variant<Search, SearchThreads>;
/// Throws Error if the pattern is not known, or has too many parts.
Searcher make_search(World&, const Def* pattern);

/// Functions that take `(mem, text, n, …)` and positions as numbers: `%regex.run.scan`, `.next` and `.count` with their tables, or the same
/// by threads. They throw Error as `make_search` does.
const Def* prefix_code(World&, const Def* pattern);
const Def* next_code(World&, const Def* pattern);
const Def* count_code(World&, const Def* pattern);

} // namespace mim::plug::regex
