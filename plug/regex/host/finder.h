// SPDX-License-Identifier: MIT
// Places where certain characters follow each other, which are looked for 64 at a time: a few characters at fixed distances from a place tell
// whether it may be one. Which ones is chosen by how common characters are in texts as people write them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "regex/host/tree.h"

namespace mim::plug::regex {

/// How likely it is that a character is in a set: a guess, at most 1.
double frequency(const Set&);

/// Whether a character is possible is told by some of its bits, which are in one run of numbers, or by bit g of `low[h]` and of `high[h]`: the lower, or higher, half of the character may be h in
/// group g of up to eight. A place that has no bit left is none.
struct Finder {
    using Row = std::array<uint8_t, 16>;
    struct Look {
        size_t offset; ///< from the place
        bool run;      ///< the bits of the mask are `least`, or up to `more` above that; else the halves count
        uint8_t mask = 0, least = 0, more = 0;
        Row low{}, high{};
        std::array<double, 8> rate{};       ///< how likely such a character is, by group
        std::array<double, 8> in_numbers{}; ///< likewise, in a number

        /// The groups of which a character may be.
        uint8_t groups(uint8_t c) const;
    };
    std::vector<Look> looks;

    /// Whether it may be a place where this follows; what is behind the end of the text may be anything.
    bool have(std::string_view text) const;
    /// How likely that is.
    double rate() const;
    /// The first look tells for most of 64 places that they are none.
    bool rare() const;
    /// How many characters from the place on must be there to tell.
    size_t reach() const;
};
/// Of alternatives, all as long; such a place costs so many nanoseconds. There is at least one alternative.
Finder make_finder(const std::vector<Sets>&, double place_cost);
/// The nanoseconds that a character takes.
double cost(const Finder&, double place_cost);

} // namespace mim::plug::regex
