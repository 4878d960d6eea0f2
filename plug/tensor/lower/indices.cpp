// SPDX-License-Identifier: MIT
// See indices.h.
#include "lower/indices.h"

#include "core/annexes.h"
#include "kit/match.h"

namespace mim::plug::tensor {

const Def* Indices::number(const Def* index) { return w.call<core::bitcast>(w.nat(), index); }
const Def* Indices::index(const Def* number, const Def* extent) { return w.call<core::bitcast>(w.idx(extent), number); }
const Def* Indices::sum(const Def* a, const Def* b) { return w.call(core::nat::add, {a, b}); }
const Def* Indices::difference(const Def* a, const Def* b) { return w.call(core::nat::sub, {a, b}); }
const Def* Indices::product(const Def* a, const Def* b) { return w.call(core::nat::mul, {a, b}); }
const Def* Indices::quotient(const Def* a, const Def* b) { return w.call(core::quot::ndiv, {a, b}); }
const Def* Indices::remainder(const Def* a, const Def* b) { return w.call(core::quot::nrem, {a, b}); }
const Def* Indices::is_less(const Def* a, const Def* b) { return w.call(core::ncmp::l, {a, b}); }

const Def* Indices::size(Defs shape) {
    const Def* result = w.lit_nat(1);
    for (auto extent : shape) result = product(result, extent);
    return result;
}

const Def* Indices::row_major(Defs shape, Defs at) {
    const Def* result = w.lit_nat(0);
    for (size_t j = 0; j != shape.size(); ++j) result = sum(product(result, shape[j]), number(at[j]));
    return result;
}

/// Known by form: the same number, or what was an index below it.
bool Indices::is_at_most(const Def* number, const Def* limit) {
    auto cast = match<core::bitcast>(number);
    return number == limit || (cast && isa_idx(cast.arg()->type()) == limit);
}

} // namespace mim::plug::tensor
