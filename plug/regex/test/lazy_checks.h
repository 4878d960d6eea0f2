// SPDX-License-Identifier: MIT
// Comparisons of automata that are made while they run with those that are made at once.
#pragma once
#include <doctest/doctest.h>

#include <random>

#include "regex/host/engine.h"
#include "test/fixture.h"

namespace mim::plug::regex::test {

using Spans = std::vector<std::pair<size_t, size_t>>;

inline Spans matches(LazyRegex& regex, std::string_view subject) {
    Spans result;
    for (auto found = regex.next(subject, 0, false); found; found = regex.next(subject, found->end, found->begin == found->end))
        result.push_back({found->begin, found->end});
    return result;
}

/// Random patterns, each on twenty random subjects, with caches of one state to ten and with the usual one.
template<class Text, class Subject>
void compare_with_automata(unsigned num_patterns, Text random_text, Subject random_subject) {
    for (unsigned seed = 0; seed != num_patterns; ++seed) {
        std::mt19937 dice(seed);
        Regex regex;
        auto text   = random_text(dice);
        auto search = regex.automata(regex.parsed(text));
        LazyLimits limits;
        limits.states = 1 + seed % 10;
        limits.least  = seed % 2 * 10;
        LazyRegex small(text, false, limits), lazy(text, false);
        for (int i = 0; i != 20; ++i) {
            auto subject  = random_subject(dice);
            auto expected = Regex::all(search, subject);
            INFO("seed " << seed << " `" << text << "` on `" << subject << "`");
            REQUIRE(matches(small, subject) == expected);
            REQUIRE(matches(lazy, subject) == expected);
            REQUIRE(lazy.count(subject) == expected.size());
            REQUIRE(lazy.somewhere(subject, 0).has_value() == !expected.empty());
        }
    }
}

} // namespace mim::plug::regex::test
