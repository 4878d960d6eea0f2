// SPDX-License-Identifier: MIT
// Looks for places where certain characters follow each other (host/finder.h), many at a time: by shuffles where the
// processor has them. Of a set of words, each character tells by two look-ups in rows of sixteen which groups of words
// it may be of; a place that no group has is none.
#pragma once
#include <cstddef>
#include <cstdint>

namespace mim::plug::regex {

struct Places {
    static constexpr size_t max_looks = 6;
    struct Look {
        size_t offset; ///< from the place
        bool run;      ///< the bits of the mask are `least`, or up to `more` above that; else the halves count
        uint8_t mask, least, more;
        uint8_t low[16], high[16];

        uint8_t groups(uint8_t c) const {
            if (run) return uint8_t((c & mask) - least) <= more ? 0xff : 0;
            return low[c & 15] & high[c >> 4];
        }
    };
    Look looks[max_looks];
    size_t count = 0;
    size_t reach = 0; ///< characters from the place on that tell

    /// The first place from a position on, or the first one of which this is not known, since the text ends.
    size_t find(const char* text, size_t size, size_t from) const;
};

/// The first character from a position on that a look accepts, which is about halves and of the place itself; `size` if
/// there is none.
size_t find_one(const Places::Look&, const char* text, size_t size, size_t from);

} // namespace mim::plug::regex
