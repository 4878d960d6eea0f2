// SPDX-License-Identifier: MIT
// An application of `%tensor.map_reduce`, taken apart: dimensions are positions in the iteration space.
#pragma once
#include "lower/elements.h"

namespace mim::plug::tensor {

struct MapReduce {
    struct Input {
        std::vector<uint64_t> dims; ///< of the iteration space, one for each of its own
        Elements elements;
        std::vector<bool>
            are_steps{}; ///< for each own dimension: a loop over it reads one element after the other; none if that is not known
    };
    DefVec extents;                     ///< of the iteration space
    std::vector<uint64_t> outer, inner; ///< those of the output, and those that it is reduced over
    std::vector<Input> inputs;
    const Def *e, *c, *z, *p;
    const Def *from, *to; ///< the types of what is reduced and of the elements of the output

    DefVec extents_of(const std::vector<uint64_t>& dims) const;
    /// The order of loops that reads memory in small steps.
    std::vector<uint64_t> usual_order() const;
    bool mentions_all(const std::vector<uint64_t>& dims) const;
    size_t num_strided(uint64_t dim) const;
    bool reads_in_steps(uint64_t dim) const;
    /// Whether the elements of a row of the output are to be reduced side by side.
    bool reduces_rows() const;
};

/// The value that follows `acc`. The largest or smallest number is the same in any order, as -0 is less than 0, but not
/// with NaNs among the terms, which are ignored: `z` in their places changes nothing. Without NaNs, LLVM takes terms
/// side by side.
const Def* next_of(World&, const MapReduce&, const Def* acc, const Def* x);

} // namespace mim::plug::tensor
