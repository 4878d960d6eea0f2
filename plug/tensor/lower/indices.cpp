// SPDX-License-Identifier: MIT
// See indices.h.
#include "lower/indices.h"

#include <limits>

#include "core/annexes.h"
#include "kit/build.h"
#include "kit/match.h"
#include "tensor/annexes.h"

namespace mim::plug::tensor {

const Def* Indices::number(const Def* index) { return w.call<core::bitcast>(w.nat(), index); }
const Def* Indices::index(const Def* number, const Def* extent) { return w.call<core::bitcast>(w.idx(extent), number); }
const Def* Indices::in_bounds(const Def* owed, const Def* number, const Def* extent) {
    return w.call<inside>(owed, index(number, extent));
}
const Def* Indices::sum(const Def* a, const Def* b) { return w.call(core::nat::add, {a, b}); }
const Def* Indices::difference(const Def* a, const Def* b) { return w.call(core::nat::sub, {a, b}); }
const Def* Indices::product(const Def* a, const Def* b) { return w.call(core::nat::mul, {a, b}); }
const Def* Indices::quotient(const Def* a, const Def* b) { return w.call(core::quot::ndiv, {a, b}); }
const Def* Indices::remainder(const Def* a, const Def* b) { return w.call(core::quot::nrem, {a, b}); }
const Def* Indices::is_less(const Def* a, const Def* b) { return w.call(core::ncmp::l, {a, b}); }

const Def* Indices::has_sum(const Def* a, const Def* b) {
    return w.call(core::ncmp::le, {b, difference(w.lit_nat(std::numeric_limits<uint64_t>::max()), a)});
}

const Def* Indices::has_product(const Def* a, const Def* b) {
    auto most    = w.lit_nat(std::numeric_limits<uint64_t>::max());
    auto is_zero = w.call(core::ncmp::e, {b, w.lit_nat(0)});
    auto divisor = w.select(is_zero, w.lit_nat(1), b);
    return w.select(is_zero, w.tt(), w.call(core::ncmp::le, {a, quotient(most, divisor)}));
}

const Def* Indices::has_size(Defs shape) {
    DefVec factors;
    for (auto extent : shape)
        if (!is_value(extent, 1)) factors.push_back(extent);
    const Def *result = w.tt(), *is_empty = w.ff();
    for (size_t j = 0; j != factors.size(); ++j) {
        if (j != 0) result = both(result, has_product(size(Defs(factors).first(j)), factors[j]));
        is_empty = w.select(is_empty, w.tt(), w.call(core::ncmp::e, {factors[j], w.lit_nat(0)}));
    }
    return factors.size() <= 2 ? result : w.select(is_empty, w.tt(), result); // two are no more than 64 bits if one is 0
}

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

/// A literal and the rest, which is null for a literal alone.
static std::pair<uint64_t, const Def*> terms_of(World& w, const Def* number) {
    if (auto known = value(number)) return {*known, nullptr};
    auto sum   = match(core::nat::add, number);
    auto known = sum ? value(w, sum.arg(), 0) : std::nullopt;
    return known ? std::pair(*known, elem(w, sum.arg(), 1)) : std::pair(uint64_t(0), number);
}

/// Known by form: it exceeds the same number by no more than the limit does, or was an index below the limit.
bool Indices::is_at_most(const Def* number, const Def* limit) {
    auto cast = match<core::bitcast>(number);
    if (cast && isa_idx(cast.arg()->type()) == limit) return true;
    auto [more, base] = terms_of(w, number);
    auto [most, same] = terms_of(w, limit);
    return more <= most && (!base || base == same);
}

/// lo + (n-1)·by < m where n > 0, and by > 0; without numbers that may leave 64 bits.
const Def* Indices::is_slice(const Def* lo, const Def* n, const Def* by, const Def* m) {
    if (is_value(by, 1) && is_at_most(sum(lo, n), m)) return w.tt();
    auto rest = difference(m, lo);
    if (is_value(by, 1)) return w.call(core::ncmp::le, {n, rest});
    auto zero = w.lit_nat(0), one = w.lit_nat(1);
    bool is_step   = value(by).value_or(0) != 0;
    auto has_step  = is_step ? w.tt() : w.call(core::ncmp::ne, {by, zero});
    auto step      = w.select(has_step, by, one);
    auto available = w.select(is_less(zero, rest), sum(quotient(difference(rest, one), step), one), zero);
    return w.select(has_step, w.call(core::ncmp::le, {n, available}), w.ff());
}

DefVec some_index(World& w, Defs shape) {
    return map_defs(shape, [&](auto extent) { return w.mut_lam(w.cn(w.idx(extent)))->var(); });
}

} // namespace mim::plug::tensor
