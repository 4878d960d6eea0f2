// SPDX-License-Identifier: MIT
// The functions around a function, and those that are nested in it. Both are asked for many functions of one program,
// and a program may be nested deep, so each answer looks at as little of it as it can.
#pragma once
#include <optional>
#include <vector>

#include "analysis/snapshot.h"
#include "ir/def_set.h"
#include "ir/world.h"

namespace mim {

/// The functions whose variables `lam` refers to, and those that these are nested in. They are found once somebody asks,
/// as they are as many as the function is nested deep.
class FunctionsAround {
public:
    FunctionsAround(World& world, const Lam* lam)
        : world_(world)
        , lam_(lam) {}

    bool contains(const Def* def) {
        if (!def->is_mut() || def == lam_) return false;
        if (!found_) find();
        return found_->contains(def);
    }

private:
    void find();

    World& world_;
    const Lam* lam_;
    std::optional<DefSet> found_;
};

/// Each node of a program gets a number that is not smaller than those of its operands: a search for a node leaves out
/// what has a smaller one.
class Nesting {
public:
    Nesting(World&, const Snapshot&);

    /// Whether `lam` refers to the function `inner`, and none of the functions around `lam` has to be entered to get
    /// there. False for a closed function, which is nested in none.
    bool is_nested(const Def* inner, const Lam* lam);

private:
    uint32_t number(const Def* def, uint32_t unknown) const {
        return def->id() < numbers_.size() ? numbers_[def->id()] : unknown;
    }

    World& world_;
    std::vector<uint32_t> numbers_; ///< by id
};

} // namespace mim
