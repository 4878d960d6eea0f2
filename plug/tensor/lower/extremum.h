// SPDX-License-Identifier: MIT
// The largest or smallest number of many, -0 being less than 0 and NaNs being ignored: `%math.extrema.fmax` and `fmin`
// with nothing permitted. It is the same in any order, so LLVM may take terms side by side, if it is told so.
#pragma once
#include <initializer_list>
#include <optional>

#include "ir/world.h"
#include "math/annexes.h"

namespace mim::plug::tensor {

class Extremum {
public:
    /// Reduces by `c` from `z` on. None: `c` is another function, or `z` may be a NaN.
    static std::optional<Extremum> of(World&, const Def* c, const Def* z);

    /// The value after `acc`, which no NaN is.
    const Def* next(const Def* acc, const Def* x) const;

    /// @name in a loop over all terms
    /// Turns carry an extremum whose zeros have any sign, and the signs of all zeros. The next turn waits for one
    /// instruction instead of three.
    ///@{
    const Def* start() const;
    const Def* step(const Def* acc, const Def* x) const;
    const Def* end(const Def* acc) const;
    ///@}

private:
    Extremum(World& world, const Def* c, const Def* z, unsigned width);

    const Def* number(const Def* x) const;
    const Def* extreme(std::initializer_list<math::mode> permitted, const Def* acc, const Def* number) const;
    const Def* is_zero(const Def* number) const;
    const Def* bits_of_zero(const Def* number) const;

    World* world_;
    const Def *format_, *z_;
    bool is_max_;
    unsigned width_; // of the format
};

} // namespace mim::plug::tensor
