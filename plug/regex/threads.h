// SPDX-License-Identifier: MIT
// What `%regex.run.threads` runs: a nondeterministic automaton as rows of numbers. Nodes have at most two ways, and a loop that is in a
// round which has read nothing is another node than the same loop in another round, so that a node alone says what follows.
#pragma once
#include "ir/world.h"
#include "regex/host/automaton.h"

namespace mim::plug::regex {

struct Threads {
    /// What a node does is in the lowest bits, in the order in which `%regex.run.threads` lists it.
    enum Kind : uint8_t { Read, Look, Split, Match, Open, Leave, Close, Save };
    struct Node {
        Kind kind;
        uint8_t before = Anywhere; ///< Look
        uint32_t to    = 0;        ///< Close: behind the language
        uint32_t other = 0; ///< Read, Look: the set; Save: the slot; Open: the Close; Close: the one of those that have read
    };
    std::vector<Node> nodes; ///< the first one is where it starts
    Sets sets;
    bool ordered = false;

    bool looks_back() const;
};
/// Throws Error if it gets too large.
Threads make_threads(const Pattern&, bool ordered);
/// With the places of groups, for a text that is known to match.
Threads make_group_threads(const Pattern&, uint64_t groups);
/// For the leftmost match, wherever it begins; with two places, where it begins and ends.
Threads make_search_threads(const Pattern&, bool with_places);
/// The tables that `%regex.run.threads` and `%regex.run.groups` take: nodes, sets, and what each character is to the position behind it.
/// A terminator is the end of the subject, unless its size says where it ends.
DefVec tables(World&, const Threads&, bool sized = false);

} // namespace mim::plug::regex
