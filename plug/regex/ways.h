// SPDX-License-Identifier: MIT
// Ways on which a search gets on faster than by one character after the other. Each is for some states of the automaton that reads forward, and leads
// to a place up to which there is no match's end, and to the state there:
// - `first`: from where nothing has begun, to where a match may begin;
// - a core: from states that are seldom left, to where they may be left for long;
// - `hot`: from states where a text mostly is, to where none of them follows. It reads each character, by a shuffle.
#pragma once
#include "core.h"

namespace mim::plug::regex {

struct Ways {
    static constexpr size_t max_hot = 15;
    std::optional<Finder> first;
    Ids waiting;             ///< if there is `first`: the start states in which the automaton is only where nothing has begun
    std::vector<Core> cores; ///< none of them shares a state with others, or with these
    Ids hot;                 ///< nor do these
    double cost = 0;         ///< nanoseconds that counting matches takes for a character of common texts, as far as is known

    enum : uint8_t { Step, First, Hot, Cores };
    /// By state: its way. That of core i is `Cores` + i.
    std::vector<uint8_t> by_state(const Dfa& forward) const;
};
/// Where a match may begin, of the automaton of those that begin at a place. None if one may be empty, or that is common.
std::optional<Finder> find_first(const Dfa& anchored, bool eager = false);
/// What is fast in common texts. If `eager`, all that is right, fast or not, so that it can be tested.
Ways find_ways(const Dfa& anchored, const Dfa& forward, bool eager = false);

/// An end of a match is none that matters if there is always a later one: these are removed. It is one of an automaton that reads on as long
/// as something may follow.
void keep_last_ends(Dfa&);

} // namespace mim::plug::regex
