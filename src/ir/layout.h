// SPDX-License-Identifier: MIT
// Sizes of types by the World's data layout, so that nothing before emission needs a back end (spec section 5). Back ends compare:
// emission fails if they disagree.
//
// - Types without information have size 0 and alignment 1: universes, ⊥, singletons, `Idx 0`, `Idx 1`, linear and erased axioms.
// - `Nat` and `Idx n` of a size that stays unknown take 8 bytes, other `Idx n` the smallest of 1, 2, 4, 8 that holds n-1.
// - Functions and types that a plugin declares are pointers, unless the plugin says otherwise (Axiom::layout).
// - A Σ is a struct of C of its elements with information; if that is only one, it is this element. An array has no padding of its own.
// - A union is a struct of a tag (1, 2 or 4 bytes) and a payload as large and as aligned as its members need.
#pragma once
#include <cstdint>
#include <optional>

namespace mim {

class Def;
class World;

struct Layout {
    uint64_t size                        = 0;
    uint64_t align                       = 1;
    bool operator==(const Layout&) const = default;
};

/// The layout of values of `type`; nothing if it is not known (a variable occurs, or it is a recursive type that is
/// still read), or if it does not fit 63 bits. With `final`, what is unknown now is taken as a run-time value: `Idx n`
/// has 8 bytes then.
std::optional<Layout> layout(World&, const Def* type, bool final = false);

/// The same of a value that is not in memory, or in memory that only the back end sees: a large array is a pointer
/// there (ir/large_arrays.h).
std::optional<Layout> value_layout(World&, const Def* type);

} // namespace mim
