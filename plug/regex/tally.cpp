// SPDX-License-Identifier: MIT
// Counting characters of a set, or runs of such: no automaton has to know where they are.
#include <algorithm>
#include <map>

#include "search.h"

namespace mim::plug::regex {

namespace {

/// Whether from this state, behind a character of the set, a match ends where no other follows: at once, or if it `runs`, behind the last one.
bool ends(const Dfa& dfa, uint32_t state, const Set& set, bool runs) {
    for (size_t symbol = 0; symbol <= End; ++symbol) {
        auto cell = dfa.at(state, symbol);
        if (runs && set[symbol] ? dfa.to[cell] != state : dfa.to[cell] != Dfa::dead || !dfa.accepts[cell]) return false;
    }
    return true;
}

/// A group for each set of lower halves that some upper halves have. None if these are more than eight.
bool make_rows(const Set& set, Tally& tally) {
    std::map<unsigned, uint8_t> groups;
    for (unsigned high = 0; high != 16; ++high) {
        unsigned row = 0;
        for (unsigned low = 0; low != 16; ++low) row |= unsigned(set[16 * high + low]) << low;
        if (row == 0) continue;
        auto group = groups.try_emplace(row, uint8_t(1u << groups.size() % 8)).first->second;
        tally.high[high] |= group;
        for (unsigned low = 0; low != 16; ++low)
            if (row >> low & 1) tally.low[low] |= group;
    }
    return groups.size() <= 8;
}

} // namespace

std::optional<Tally> make_tally(const Dfa& dfa) {
    auto first = dfa.start[0];
    if (dfa.states != 3 || first == Dfa::dead || dfa.looks_back() || dfa.accepts_at(first)) return {};
    Set set;
    for (unsigned c = 0; c != 256; ++c) {
        auto to = dfa.to[dfa.at(first, c)];
        if (to == Dfa::dead) return {};
        set[c] = to != first;
    }
    auto then = 3 - first; // of the states, one is dead
    Tally result;
    for (bool runs : {false, true}) {
        result.runs = runs;
        if (set.any() && ends(dfa, then, set, runs)) return make_rows(set, result) ? std::optional(result) : std::nullopt;
    }
    return {};
}

} // namespace mim::plug::regex
