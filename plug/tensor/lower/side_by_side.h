// SPDX-License-Identifier: MIT
// Loops of a reduction in which loops over elements of the output are inside of loops over terms: the elements of a row are
// reduced side by side. The order in which terms are added to an element is the same.
#pragma once
#include "lower/indices.h"
#include "lower/loops.h"
#include "lower/map_reduce.h"

namespace mim::plug::tensor {

class SideBySide : private Indices {
public:
    /// So many rows are done together: as many numbers as a line of memory has, if the terms lie in columns.
    static constexpr uint64_t block = 8;
    /// So many terms are added in a turn, for sums of one number.
    static constexpr uint64_t terms = 4;

    /// `order`: of the loops; one over elements is inside of one over terms. `in_blocks`: of the dimension around all
    /// terms the rows of a block are done together; the innermost loop is over the elements of a row then.
    SideBySide(Loops&, const MapReduce&, const Dims& order, bool in_blocks);
    /// The output, which takes the place of the array `blank`.
    const Def* fill(const Def* blank);

private:
    /// Calls its argument for each of the terms of one turn.
    using Terms = std::function<void(const std::function<void()>& term)>;
    /// The sums after one turn.
    using Step = std::function<const Def*(const Def* sums, const Terms&)>;

    void set(uint64_t dim, const Def* index);
    void set(const Dims& dims, Defs index);
    void enter_block(const Def* number);
    DefVec extents_of(const Dims& dims) const;
    DefVec at(const Dims& dims) const;
    const Def* nest(const Dims&, const Def* acc, const std::function<const Def*(const Def*)>&);
    const Def* around(const Def* blank, const std::function<const Def*(const Def*)>&);
    const Def* several_terms(const Def* sums, const Step&);
    const Def* fill_inside(const Def* out);

    Loops& loops_;
    const MapReduce& r_;
    Dims around_;                 ///< the loops around all terms
    Dims inside_;                 ///< those over elements inside of these
    Dims terms_;                  ///< those from the first one over terms on
    std::optional<uint64_t> cut_; ///< the last dimension around; that of a block is inside
    DefVec extents_;              ///< of the loops inside
    DefVec index_;                ///< of the term
    const Def* base_ = nullptr;   ///< the first row of the block
};

} // namespace mim::plug::tensor
