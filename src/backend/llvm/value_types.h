// SPDX-License-Identifier: MIT
// How functions that are values are called. A value of the type `Idx 4 → Nat` is one of `Idx n → Nat` wherever n is 4, and nobody can convert
// it: so both are called as if the size were not known. The same holds for lengths of arrays. In a program where no value has such an
// open type of functions, all are called by their own type.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "ir/world.h"

namespace mim::backend::llvm {

class ValueTypes {
public:
    explicit ValueTypes(World& world)
        : world_(world) {}

    /// The type by which a value of this type of functions is called.
    const Pi* of(const Pi*);

private:
    const Pi* find(const Pi*);
    void collect();
    const Def* next_length();
    const Pi* widen(const Pi*, bool literal_arrays);
    const Def* widen_domain(const Def*, bool literal_arrays);
    const Def* widen(const Def*, bool literal_arrays);

    World& world_;
    const Def* unknown_ = nullptr;    ///< a size that nobody knows
    std::vector<const Def*> lengths_; ///< of arrays, from the first of a type to the last
    size_t num_lengths_ = 0;          ///< that are taken
    std::optional<std::unordered_set<std::string>>
        open_; ///< shapes of types by which some function is called that does not know its sizes
    std::unordered_map<const Pi*, const Pi*> types_;
};

} // namespace mim::backend::llvm
