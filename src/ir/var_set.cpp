// SPDX-License-Identifier: MIT
#include "ir/var_set.h"

#include <algorithm>
#include <bit>

#include "ir/impl.h"

namespace mim {

static bool has_lower_id(const Def* x, const Def* y) { return x->id() < y->id(); }

/// The highest bit in which two different ids differ.
static uint32_t top_bit(uint32_t first, uint32_t last) { return std::bit_floor(first ^ last); }

bool VarSet::contains(const Def* d) const {
    if (!(bloom & bit(d))) return false;
    auto set = this;
    while (set->is_split()) set = d->id() <= set->halves().low->last ? set->halves().low : set->halves().high;
    auto all = set->array();
    return std::binary_search(all.begin(), all.end(), d, has_lower_id);
}

/// Room for the set and what stands behind it, which the caller writes.
VarSet* VarSets::insert(VarSet set, size_t bytes, uint32_t newest) {
    auto made = new (arena_.alloc(sizeof(VarSet) + bytes)) VarSet(set);
    sets_.insert(newest, {made});
    return made;
}

const VarSet* VarSets::make_array(Defs sorted) {
    uint64_t h = sorted.size(), bloom = 0;
    bool has_mut = false;
    for (auto d : sorted) h = mix(h, d->id()), bloom |= VarSet::bit(d), has_mut |= d->is_mut();
    auto size  = static_cast<uint32_t>(sorted.size());
    auto hash  = static_cast<uint32_t>(h);
    auto first = sorted.empty() ? 0 : sorted.front()->id();
    auto last  = sorted.empty() ? 0 : sorted.back()->id();
    auto is_it = [&](Slot s) { return s.set->hash == hash && s.set->size == size && std::ranges::equal(s.set->array(), sorted); };
    if (auto slot = sets_.find(last, hash, is_it)) return slot->set;
    auto set = insert({size, hash, bloom, first, last, has_mut}, sorted.size_bytes(), last);
    std::ranges::copy(sorted, const_cast<const Def**>(set->array().data()));
    return set;
}

const VarSet* VarSets::split(const VarSet* low, const VarSet* high) {
    auto hash  = mix(low->hash, high->hash);
    auto is_it = [&](Slot s) {
        return s.set->hash == hash && s.set->is_split() && s.set->halves().low == low && s.set->halves().high == high;
    };
    if (auto slot = sets_.find(high->last, hash, is_it)) return slot->set;
    auto size    = low->size + high->size;
    auto bloom   = low->bloom | high->bloom;
    bool has_mut = low->has_mut || high->has_mut;
    auto set     = insert({size, hash, bloom, low->first, high->last, has_mut}, sizeof(VarSet::Halves), high->last);
    new (set + 1) VarSet::Halves{low, high, nullptr};
    return set;
}

const VarSet* VarSets::make(Defs sorted) {
    if (sorted.size() <= VarSet::MaxArray) return make_array(sorted);
    auto bit    = top_bit(sorted.front()->id(), sorted.back()->id());
    auto is_low = [&](const Def* d) { return !(d->id() & bit); };
    auto middle = static_cast<size_t>(std::ranges::partition_point(sorted, is_low) - sorted.begin());
    auto low    = make(sorted.first(middle));
    return split(low, make(sorted.subspan(middle)));
}

/// The elements without and with this bit, of a set whose ids are the same above it.
VarSets::Pair VarSets::halve(const VarSet* set, uint32_t bit) {
    if (!((set->first ^ set->last) & bit)) return set->first & bit ? Pair{empty(), set} : Pair{set, empty()};
    if (set->is_split()) return {set->halves().low, set->halves().high};
    auto all    = set->array();
    auto is_low = [&](const Def* d) { return !(d->id() & bit); };
    auto middle = static_cast<size_t>(std::ranges::partition_point(all, is_low) - all.begin());
    auto low    = make_array(all.first(middle));
    return {low, make_array(all.subspan(middle))};
}

const VarSet* VarSets::merge(const VarSet* a, const VarSet* b) {
    if (a == b || b->size == 0) return a;
    if (a->size == 0) return b;
    if (a->size > b->size) std::swap(a, b);
    if (!b->is_split()) {
        auto x = a->array(), y = b->array();
        bool is_part = !(a->bloom & ~b->bloom) && std::ranges::includes(y, x, has_lower_id);
        if (is_part) return b;
        const Def* all[2 * VarSet::MaxArray];
        auto end = std::ranges::set_union(x, y, all, has_lower_id).out;
        return make({all, end});
    }
    auto bit               = top_bit(std::min(a->first, b->first), std::max(a->last, b->last));
    auto [a_low, a_high]   = halve(a, bit);
    auto [b_low, b_high]   = halve(b, bit);
    auto low               = merge(a_low, b_low);
    auto high              = merge(a_high, b_high);
    bool is_all_of_greater = low == b_low && high == b_high;
    return is_all_of_greater ? b : split(low, high);
}

const VarSet* VarSets::without(const VarSet* set, const Def* d) {
    if (!d || !set->contains(d)) return set;
    bool will_be_array = set->size - 1 <= VarSet::MaxArray;
    if (will_be_array) {
        std::vector<const Def*> rest;
        set->each([&](const Def* x) {
            if (x != d) rest.push_back(x);
        });
        return make(rest);
    }
    auto low = set->halves().low, high = set->halves().high;
    bool is_low = d->id() <= low->last;
    if (is_low) low = without(low, d);
    else high = without(high, d);
    if (low->size == 0) return high;
    return high->size == 0 ? low : split(low, high);
}

Defs VarSets::elements(const VarSet* set) {
    if (!set->is_split()) return set->array();
    auto& known = set->halves().elements;
    if (!known) {
        auto all = static_cast<const Def**>(arena_.alloc(set->size * sizeof(const Def*)));
        set->each([next = all](const Def* d) mutable { *next++ = d; });
        known = all;
    }
    return {known, set->size};
}

} // namespace mim
