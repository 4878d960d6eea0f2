// SPDX-License-Identifier: MIT
// A nondeterministic automaton as rows of numbers: what `%regex.run.threads` runs, and what deterministic automata are
// made of. Nodes have at most two ways, and a loop that is in a round which has read nothing is another node than the
// same loop in another round, so that a node alone says what follows.
#pragma once
#include "regex/host/automaton.h"
#include "regex/runtime/subsets.h"

namespace mim::plug::regex {

struct Threads {
    using Kind = Graph::Kind;
    using enum Graph::Kind;
    static constexpr size_t max_size = 1 << 24; ///< nodes, which have numbers of as many bits

    struct Node {
        Kind kind;
        uint8_t before = Anywhere; ///< Look
        uint32_t to    = 0;        ///< Close: behind the language
        uint32_t other =
            0; ///< Read, Look: the set; Save: the slot; Match: its number; Open: the Close; Close: the one of those that have read
    };
    std::vector<Node> nodes; ///< the first one is where it starts
    Sets sets;
    bool ordered = false;

    bool looks_back() const;
};
/// None if there would be more nodes than that.
std::optional<Threads> make_threads(const Nfa&, size_t most = Threads::max_size);

/// The same as numbers.
struct Words {
    std::vector<uint64_t> nodes, sets;
    bool ordered = false;

    Graph graph() const { return {nodes.data(), nodes.size(), sets.data(), sets.size() / Graph::set_words, ordered}; }
};
/// A terminator is the end of the subject, unless its size says where it ends.
Words words(const Threads&, bool sized = true);

} // namespace mim::plug::regex
