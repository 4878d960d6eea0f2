// SPDX-License-Identifier: MIT
// What is known of an operation when it is built.
#include "core/annexes.h"
#include "mem/annexes.h"
#include "tensor.h"
#include "tensor/diagnostics.h"

namespace mim::plug::tensor {

/// %tensor.size s ▷ s#0 · … · s#(r-1)
const Def* normalize_size(const Redex& redex) {
    auto& w   = redex.w;
    auto rank = value(redex.group(0));
    if (!rank) return nullptr;
    const Def* result = w.lit_nat(1);
    for (uint64_t j = 0; j != *rank; ++j) result = w.call(core::nat::mul, {result, *rank == 1 ? redex.arg : w.extract(redex.arg, j)});
    return result;
}

/// %tensor.index n i:
///   ▷ i        if n is the size of what i is an index of
///   ▷ i_n      of a literal that is below n; an error of one that is not
const Def* normalize_index(const Redex& redex) {
    auto& w = redex.w;
    auto m = redex.group(0), n = redex.group(1);
    if (m == n) return redex.arg;
    auto i = value(redex.arg), size = value(n);
    if (!i || !size) return nullptr;
    if (*size != 0 && *i >= *size)
        throw Error(diag::broken("%tensor.index", "index " + std::to_string(*i) + " of " + std::to_string(*size)));
    return w.lit(redex.type, *i);
}

/// %tensor.owe tt x ▷ x
const Def* normalize_owe(const Redex& redex) { return value(redex.group(1)) == 1 ? redex.arg : nullptr; }

/// %tensor.load and %tensor.store are those of `mem`, at the type of the array.
const Def* normalize_load(const Redex& redex) { return redex.w.call<mem::load>(redex.arg); }
const Def* normalize_store(const Redex& redex) { return redex.w.call<mem::store>(redex.arg); }

} // namespace mim::plug::tensor
