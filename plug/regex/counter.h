// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <optional>

#include "regex/host/automaton.h"

namespace mim::plug::regex {

/// Counts the matches in a text: up to sixteen states, of which those from `counting` on have counted one more, and whose end counts `ends` more.
struct Counter {
    static constexpr size_t max_states = 16;
    uint8_t states, start, counting;
    std::array<uint8_t, max_states> ends{};
    std::array<std::array<uint8_t, max_states>, 256> rows{}; ///< by character: where it leads from each state
};
/// Of an automaton that reads forward and finds no empty matches. None if it takes more states.
std::optional<Counter> make_counter(const Dfa& forward);

} // namespace mim::plug::regex
