// SPDX-License-Identifier: MIT
// An application of `%tensor.map_reduce`, taken apart: dimensions are positions in the iteration space.
#pragma once
#include <algorithm>

#include "lower/elements.h"
#include "lower/extremum.h"

namespace mim::plug::tensor {

/// It has one part only.
inline bool is_number(const Def* type) { return !type->isa<Arr>() && !type->isa<Sigma>(); }

struct MapReduce {
    DefVec extents;                     ///< of the iteration space
    std::vector<uint64_t> outer, inner; ///< those of the output, and those that it is reduced over
    std::function<const Def*(Defs index)> term;
    /// The value that follows `acc` at the index.
    std::function<const Def*(Defs index, const Def* acc)> next;
    /// The element of the output at an index of `outer`, of what is reduced.
    std::function<const Def*(Defs index, const Def* last)> end;
    bool ends_as_is;
    std::optional<Extremum> extremum; ///< what `c` is, for the terms of the operation
    const Def *c, *z;
    const Def *from, *to; ///< the types of what is reduced and of the elements of the output

    DefVec extents_of(const std::vector<uint64_t>& dims) const;
    bool is_inner(uint64_t dim) const { return std::ranges::find(inner, dim) != inner.end(); }
    /// The order of loops that reads memory in small steps.
    std::vector<uint64_t> usual_order(World&) const;
    bool mentions_all(const std::vector<uint64_t>& dims) const;
    /// Whether the elements of a row of the output are to be reduced side by side.
    bool reduces_rows(World&) const;
    /// Whether these rows read elements that are the same for the next row.
    bool shares_rows(World&) const;
};

} // namespace mim::plug::tensor
