// SPDX-License-Identifier: MIT
#include "bit_sets.h"

#include <algorithm>

namespace mim::plug::mil {

BitSets::Set BitSets::node(uint32_t place, Set without, Set with) {
    if (without == with) return with;
    auto [known, is_new] = known_.emplace(std::tuple(place, without, with), static_cast<Set>(nodes_.size()));
    if (is_new) nodes_.push_back({place, without, with});
    return known->second;
}

/// The bit of the highest place decides first.
BitSets::Set BitSets::combine(bool is_both, Set a, Set b) {
    auto neutral = is_both ? kAll : kNothing;
    auto strong  = is_both ? kNothing : kAll;
    if (a == b || b == neutral) return a;
    if (a == neutral) return b;
    if (a == strong || b == strong) return strong;
    if (a > b) std::swap(a, b);
    if (auto known = combined_.find({is_both, a, b}); known != combined_.end()) return known->second;
    auto place   = std::max(nodes_[a].place, nodes_[b].place);
    auto branch  = [&](Set s, bool value) { return nodes_[s].place != place ? s : value ? nodes_[s].with : nodes_[s].without; };
    auto without = combine(is_both, branch(a, false), branch(b, false));
    auto with    = combine(is_both, branch(a, true), branch(b, true));
    return combined_[{is_both, a, b}] = node(place, without, with);
}

BitSets::Set BitSets::fixed(const Row& value, uint32_t width, uint32_t place) {
    Set result = kAll;
    for (uint32_t i = 0; i != width; ++i) {
        bool is_one = value[i];
        result      = is_one ? node(place + i, kNothing, result) : node(place + i, result, kNothing);
    }
    return result;
}

BitSets::Set BitSets::below(uint64_t limit, uint32_t width, uint32_t place) {
    bool is_all = width < 64 && limit >> width != 0;
    if (is_all) return kAll;
    Set result = kNothing; // equal is not less
    for (uint32_t i = 0; i != width; ++i) {
        bool is_one = limit >> i & 1;
        result      = is_one ? node(place + i, kAll, result) : node(place + i, result, kNothing);
    }
    return result;
}

Row BitSets::row(Set s, Set avoided) const {
    Row result;
    while (s > kAll) {
        auto& n     = nodes_[s];
        bool is_one = n.without == avoided;
        if (is_one) result.set(n.place);
        s = is_one ? n.with : n.without;
    }
    return result;
}

Row BitSets::outside(Set s) const { return row(s, kAll); }
Row BitSets::member(Set s) const { return row(s, kNothing); }

BitSets::Mask BitSets::common(Set s, uint32_t width) {
    Mask result;
    for (uint32_t i = 0; i != width; ++i) {
        bool has_ones  = both(s, bit(i, true)) != kNothing;
        bool has_zeros = both(s, bit(i, false)) != kNothing;
        if (has_ones == has_zeros) continue;
        result.mask.set(i);
        result.bits.set(i, has_ones);
    }
    return result;
}

BitSets::Set BitSets::matching(const Mask& m, uint32_t width) {
    Set result = kAll;
    for (uint32_t i = 0; i != width; ++i)
        if (m.mask[i]) result = both(result, bit(i, m.bits[i]));
    return result;
}

} // namespace mim::plug::mil
