// SPDX-License-Identifier: MIT
// Texts of two to four characters as numbers, the first one in the lowest byte, and a table that knows which of them
// there are, but for chance.
#pragma once
#include <cstdint>
#include <cstring>

namespace mim::plug::regex {

/// A slot has the grams of one hash, of which the factor takes no characters but those that count. Without case, small
/// letters count for both.
struct GramTable {
    uint32_t factor;
    unsigned shift;
    const uint8_t* slots;

    template<bool Folds>
    uint32_t slot(uint32_t gram) const {
        return (Folds ? gram | 0x20202020 : gram) * factor >> shift;
    }
    template<bool Folds>
    uint8_t has(uint32_t gram) const {
        return slots[slot<Folds>(gram)];
    }
};

inline uint32_t load_gram(const char* at) {
    uint32_t gram;
    std::memcpy(&gram, at, sizeof gram);
    return gram;
}

} // namespace mim::plug::regex
