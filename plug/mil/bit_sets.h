// SPDX-License-Identifier: MIT
// Sets of rows of bits, as ordered binary decision diagrams (Bryant, "Graph-Based Algorithms for Boolean Function
// Manipulation", 1986). Equal sets are the same number, so a comparison of two sets costs nothing.
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "bit_row.h"

namespace mim::plug::mil {

/// The least width in bits that has all numbers below the limit.
inline uint32_t width_below(uint64_t limit) { return limit == 0 ? 0 : static_cast<uint32_t>(std::bit_width(limit - 1)); }

class BitSets {
public:
    using Set = uint32_t;

    static constexpr Set kNothing = 0, kAll = 1;

    /// Rows whose bit at this place has this value.
    Set bit(uint32_t place, bool value) { return value ? node(place, kNothing, kAll) : node(place, kAll, kNothing); }
    /// Rows whose `width` bits from `place` on are these.
    Set fixed(const Row& value, uint32_t width, uint32_t place);
    /// … are a number less than `limit`.
    Set below(uint64_t limit, uint32_t width, uint32_t place);
    Set both(Set a, Set b) { return combine(true, a, b); }
    Set either(Set a, Set b) { return combine(false, a, b); }
    /// A row that is not in the set, which is not kAll; other bits are 0.
    Row outside(Set) const;
    /// A row that is in the set, which is not kNothing; other bits are 0.
    Row member(Set) const;

    /// The bits of a row that are the same in all rows of the set.
    struct Mask {
        Row mask, bits;
    };
    Mask common(Set, uint32_t width);
    Set matching(const Mask&, uint32_t width);

private:
    struct Node {
        uint32_t place;
        Set without, with; ///< where the bit is 0, and where it is 1
    };

    Set node(uint32_t place, Set without, Set with);
    Set combine(bool is_both, Set a, Set b);
    Row row(Set, Set avoided) const;

    std::vector<Node> nodes_{{}, {}}; ///< the first two are kNothing and kAll
    std::map<std::tuple<uint32_t, Set, Set>, Set> known_;
    std::map<std::tuple<bool, Set, Set>, Set> combined_;
};

} // namespace mim::plug::mil
