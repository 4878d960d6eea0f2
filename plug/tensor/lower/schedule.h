// SPDX-License-Identifier: MIT
// How an operation becomes loops: a value of the type `%tensor.Schedule`, taken apart and compared with the loops that
// it is about.
#pragma once
#include <string>

#include "ir/world.h"

namespace mim::plug::tensor {

/// Dimensions of an iteration space.
using Dims = std::vector<uint64_t>;

struct Plan {
    Dims order;            ///< dimensions of the iteration space, those of the outermost loop first
    Dims tiles;            ///< the size of a block along each dimension; 1: the loop is not cut
    uint64_t vector;       ///< the dimension in lanes; as many as there are: none
    uint64_t accumulators; ///< partial sums at once
    bool packs;            ///< what is read again and again is copied in the order in which it is read

    /// Loops in this order, and nothing else.
    static Plan plain(Dims order);
    /// The schedule that a program gives, which must be a literal. None: the program leaves the choice to us.
    static std::optional<Plan> read(World&, const Def*);
    /// As `%tensor.with` takes it.
    std::string text() const;
};

/// The loops that a schedule is about.
struct LoopSpace {
    std::vector<bool> is_reduced; ///< for each dimension
    bool in_any_order = false;    ///< terms of a reduction may be taken in any order
    bool needs_rows   = false;    ///< what is reduced is reduced in the innermost loops
};

/// Why the schedule does not fit; empty if it does.
std::string misfit(const Plan&, const LoopSpace&);

/// The function is an operation whose operands may be grouped and ordered anew.
bool may_reorder(const Def* combine);

} // namespace mim::plug::tensor
