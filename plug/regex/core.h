// SPDX-License-Identifier: MIT
// Cores: states that a search seldom leaves, and where it may do so.
#pragma once
#include "regex/host/automaton.h"
#include "regex/host/finder.h"

namespace mim::plug::regex {

/// In nanoseconds: of a place that is looked at, and of a character that the automaton reads.
constexpr double place_cost = 30, step_cost = 2;
constexpr double low_rate = 1.0 / 100000; ///< of places; longer texts are looked at if there would be more

/// The characters of each class; that of the end only has none.
Sets characters(const Dfa&);

/// Where characters lead if nothing else happens.
struct Moves {
    explicit Moves(const Dfa& dfa)
        : sets(characters(dfa)) {
        for (size_t i = 0; i != dfa.to.size(); ++i)
            to.push_back(dfa.accepts[i] || dfa.to[i] == Dfa::dead || sets[i % sets.size()].none() ? none : dfa.to[i]);
    }
    size_t states() const { return to.size() / sets.size(); }
    uint32_t at(uint32_t state, uint32_t cls) const { return to[state * sets.size() + cls]; }

    static constexpr uint32_t none = ~0u;
    Sets sets; ///< by class
    Ids to;
};

/// In front of the first place that the finder finds, the automaton is in one of the states or not far from them, and has met no end of a match. Its
/// state there is the one to which the last `back` characters lead from state `from`.
struct Core {
    Ids states;
    Finder finder;
    uint32_t from = 0, back = 0;
};

/// Of these states; none if too many places would have to be looked at.
std::optional<Core> find_core(const Moves&, Ids states);
/// What it costs to wait for its places, in nanoseconds a character.
double cost(const Core&);

} // namespace mim::plug::regex
