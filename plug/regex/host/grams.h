// SPDX-License-Identifier: MIT
// Places where a match of many texts may begin, as of a set of thousands of words: the first two to four characters of
// each place are hashed, and a table of bits says whether some text begins like that.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "regex/host/automaton.h"
#include "regex/host/pairs.h"
#include "regex/host/triples.h"

namespace mim::plug::regex {

class Grams {
public:
    static constexpr size_t nowhere = ~size_t(0);

    /// Of an automaton that matches at one place, or at any. None if a match may be short, or very long, or may begin at
    /// many places.
    static std::optional<Grams> of(const Nfa&);

    /// The first place from a position on where a match may begin.
    size_t find(std::string_view text, size_t from) const;

private:
    struct Slots {
        Slots() = default;
        Slots(size_t length, const std::vector<uint32_t>& grams, bool folds, uint32_t factor);
        GramTable table() const;

        uint32_t factor = 0;
        unsigned shift  = 0;
        std::vector<uint8_t> has;
    };
    Grams(size_t length, bool folds, const std::vector<uint32_t>& grams);
    template<bool Folds, size_t Step>
    size_t find_in(std::string_view text, size_t from) const;

    size_t length_;                  ///< characters of a gram, the first one in its lowest byte
    bool folds_;                     ///< small and capital letters are alike
    size_t step_;                    ///< of two places, one is looked at, where a shorter gram is that two grams have in common
    Slots first_;                    ///< finds places, and some that are none
    Slots all_;                      ///< the same again by another hash
    std::optional<Pairs> pairs_;     ///< finds places, if that takes less time
    std::optional<Triples> triples_; ///< the same where there are no pairs
};

} // namespace mim::plug::regex
