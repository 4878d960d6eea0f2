// SPDX-License-Identifier: MIT
// The results of operations on literals.
#pragma once
#include "ainf/list/list.h"

namespace mim::plug::polara {

/// A literal, or one of the operands, or nothing.
struct Simple {
    static constexpr size_t kNone = 2;
    const mim::Def* literal       = nullptr;
    size_t same_as                = kNone;
};

/// The operation of this type and mode on literals; an operand that is none is null.
Simple simplify(World&, ainf::Op, const mim::Def* type, uint64_t mode, const Lit* x, const Lit* y);
/// The part that the paper folds: sums and products of numbers, and floats.
Simple simplify_as_paper(World&, ainf::Op, uint64_t mode, const Lit* x, const Lit* y);

} // namespace mim::plug::polara
