// SPDX-License-Identifier: MIT
// Private to src/ir: hash-consed sets of nodes, sorted by id. A small set is an array. A larger one is split where its
// ids differ in the highest bit, so large sets that differ in a few elements share the rest: n binders inside of each
// other, each of which uses variables of many others, take n log n space. A set has one form only, so equal ones are
// one.
#pragma once
#include <vector>

#include "ir/local_table.h"
#include "ir/questions.h"

namespace mim {

class Arena;

/// Of free variables (and, while they are not known to be closed, of mutables).
struct VarSet {
    uint32_t size;
    uint32_t hash;
    uint64_t bloom; ///< one bit per id mod 64
    uint32_t first; ///< the least id
    uint32_t last;  ///< the greatest one
    bool has_mut;   ///< contains mutables: not resolved to variables yet

    struct Halves {
        const VarSet *low, *high;
        mutable const Def* const* elements; ///< in a row, once somebody asked for them
    };
    static constexpr uint32_t MaxArray = 16;

    bool is_split() const { return size > MaxArray; }
    /// Of a set that is not split.
    Defs array() const { return {reinterpret_cast<const Def* const*>(this + 1), size}; }
    /// Of a set that is.
    const Halves& halves() const { return *reinterpret_cast<const Halves*>(this + 1); }

    bool contains(const Def*) const;
    /// Whether f holds for an element; they come in order.
    template<class F>
    bool any(F&& f) const {
        if (is_split()) return halves().low->any(f) || halves().high->any(f);
        for (auto d : array())
            if (f(d)) return true;
        return false;
    }
    template<class F>
    void each(F&& f) const {
        any([&](const Def* d) { return f(d), false; });
    }
    static uint64_t bit(const Def* d) { return 1ull << (d->id() & 63); }
};

class VarSets {
public:
    explicit VarSets(Arena& arena)
        : arena_(arena) {}

    const VarSet* empty() { return empty_ ? empty_ : empty_ = make({}); }
    const VarSet* make(Defs sorted);
    const VarSet* merge(const VarSet*, const VarSet*);
    /// All but this one, which may be null.
    const VarSet* without(const VarSet*, const Def*);
    /// All of them in a row.
    Defs elements(const VarSet*);

private:
    struct Slot {
        const VarSet* set = nullptr;
        explicit operator bool() const { return set; }
        uint32_t hash() const { return set->hash; }
    };
    using Pair = std::pair<const VarSet*, const VarSet*>;
    const VarSet* make_array(Defs sorted);
    const VarSet* split(const VarSet* low, const VarSet* high);
    Pair halve(const VarSet*, uint32_t bit);
    VarSet* insert(VarSet, size_t bytes, uint32_t newest);

    Arena& arena_;
    LocalTable<Slot> sets_;
    const VarSet* empty_ = nullptr;
};

} // namespace mim
