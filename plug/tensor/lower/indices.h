// SPDX-License-Identifier: MIT
// Arithmetic of indices, as natural numbers that do not overflow, since sizes of arrays do not.
#pragma once
#include "ir/world.h"

namespace mim::plug::tensor {

class Indices {
protected:
    explicit Indices(World& world)
        : w(world) {}

    const Def* number(const Def* index);
    const Def* index(const Def* number, const Def* extent);
    /// The number as an index, which it is because `owed` says so.
    const Def* in_bounds(const Def* owed, const Def* number, const Def* extent);
    const Def* sum(const Def* a, const Def* b);
    const Def* difference(const Def* a, const Def* b);
    const Def* product(const Def* a, const Def* b);
    const Def* quotient(const Def* a, const Def* b);
    const Def* remainder(const Def* a, const Def* b);
    const Def* is_less(const Def* a, const Def* b);
    /// Whether 64 bits are enough for the sum of two numbers, or for the product.
    const Def* has_sum(const Def* a, const Def* b);
    const Def* has_product(const Def* a, const Def* b);
    const Def* both(const Def* a, const Def* b) { return w.select(a, b, w.ff()); }
    bool is_at_most(const Def* number, const Def* limit);
    /// Whether `n` elements from `lo` on, each `by` behind the one before, are elements of an array of `m`.
    const Def* is_slice(const Def* lo, const Def* n, const Def* by, const Def* m);
    /// Of a dense array: how many elements there are, and which one is at the index, in row-major order.
    const Def* size(Defs shape);
    /// Whether 64 bits are enough for the size.
    const Def* has_size(Defs shape);
    const Def* row_major(Defs shape, Defs index);

    World& w;
};

/// The index of an element that nothing is known of: its variables occur in no program.
DefVec some_index(World&, Defs shape);

} // namespace mim::plug::tensor
