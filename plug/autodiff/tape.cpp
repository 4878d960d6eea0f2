// SPDX-License-Identifier: MIT
// The tape of a loop: the values that it carried before each turn. A tuple is kept as an array for each of its elements,
// so that arrays in it lie one behind the other, and an element that nobody reads again is not kept.
#include "autodiff.h"
#include "ir/questions.h"
#include "kit/build.h"

namespace mim::plug::autodiff {

namespace {

/// A tuple whose elements are kept one by one.
const Sigma* kept_by_elements(const Def* type) {
    auto sigma = type->isa<Sigma>();
    return sigma && !sigma->is_mut() ? sigma : nullptr;
}

const Def* tape_type(World& w, const Def* n, const Def* type) { return w.apply<Tape>({n, type}); }

} // namespace

/// %autodiff.Tape (n, [T, U]) ▷ [%autodiff.Tape (n, T), %autodiff.Tape (n, U)]
/// %autodiff.Tape (n, T)      ▷ «n; T»   if T is another plain type
const Def* normalize_Tape(const Redex& redex) {
    auto& w        = redex.w;
    auto [n, type] = redex.elems<2>();
    if (redex.is_unstable() || is_recursive(w, type)) return nullptr;
    if (auto tuple = kept_by_elements(type))
        return w.sigma(map_defs(tuple->ops(), [&, n = n](auto op) { return tape_type(w, n, op); }));
    return is_plain(w, type) ? w.arr(n, type) : nullptr;
}

/// %autodiff.keep @(n, [T, U]) (all, k, x) ▷ (%autodiff.keep @(n, T) (all#0, k, x#0), …)
/// %autodiff.keep @(n, T) (all, k, x)      ▷ ins(all, k, x)   if T is another plain type
const Def* normalize_keep(const Redex& redex) {
    auto& w          = redex.w;
    auto [n, type]   = elems<2>(w, redex.group(0));
    auto [all, k, x] = redex.elems<3>();
    if (redex.is_unstable() || is_recursive(w, type)) return nullptr;
    auto tuple = kept_by_elements(type);
    if (!tuple) return is_plain(w, type) ? w.insert(all, k, x) : nullptr;
    return w.tuple(def_vec(tuple->num_ops(), [&, n = n, all = all, k = k, x = x](auto i) {
        return w.apply<keep>({n, tuple->op(i)}, {w.extract(all, i), k, w.extract(x, i)});
    }));
}

/// %autodiff.kept @(n, [T, U]) (all, k) ▷ (%autodiff.kept @(n, T) (all#0, k), …)
/// %autodiff.kept @(n, T) (all, k)      ▷ all#k   if T is another plain type
const Def* normalize_kept(const Redex& redex) {
    auto& w        = redex.w;
    auto [n, type] = elems<2>(w, redex.group(0));
    auto [all, k]  = redex.elems<2>();
    if (redex.is_unstable() || is_recursive(w, type)) return nullptr;
    auto tuple = kept_by_elements(type);
    if (!tuple) return is_plain(w, type) ? w.extract(all, k) : nullptr;
    return w.tuple(def_vec(tuple->num_ops(), [&, n = n, all = all, k = k](auto i) {
        return w.apply<kept>({n, tuple->op(i)}, {w.extract(all, i), k});
    }));
}

} // namespace mim::plug::autodiff
