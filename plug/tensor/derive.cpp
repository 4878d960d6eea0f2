// SPDX-License-Identifier: MIT
// Operations that derivatives of others are written with (with/autodiff.mim): they become the others as soon as ranks
// are known.
#include "affine/annexes.h"
#include "core/annexes.h"
#include "kit/build.h"
#include "math/annexes.h"
#include "normal.h"

namespace mim::plug::tensor {

namespace {

/// The loops of the dimensions that have no index yet, from the first to the last.
const Def* nested(World& w, const DefVec& extents, DefVec indices, const Def* f, const Def* acc) {
    auto open = std::ranges::find(indices, nullptr);
    if (open == indices.end()) return w.app(f, {w.tuple(indices), acc});
    auto extent = extents[size_t(open - indices.begin())];
    auto type   = acc->type();
    auto turn   = w.mut_lam(w.pi(w.sigma({w.nat(), type}), type));
    *open       = w.call(core::bitcast(0), w.idx(extent), w.extract(turn->var(), 0));
    w.set(turn, w.ff(), nested(w, extents, indices, f, w.extract(turn->var(), 1)));
    return w.apply<affine::fold>(type, {w.lit_nat(0), extent, w.lit_nat(1)}, w.seal(turn), acc);
}

} // namespace

/// %tensor.walk s f acc ▷ %affine.fold (0, s#0, 1) (λ (i, acc). … f ((i, …), acc)) acc
const Def* normalize_walk(const Redex& redex) {
    auto& w      = redex.w;
    auto extents = elements_of(w, redex.group(0), redex.group(1));
    return extents ? nested(w, *extents, DefVec(extents->size()), redex.group(3), redex.arg) : nullptr;
}

/// %tensor.walk_rest (it, o) f (out, acc) ▷ the same loops, but for those of the dimensions o
const Def* normalize_walk_rest(const Redex& redex) {
    auto& w         = redex.w;
    auto [k, m]     = elems<2>(w, redex.group(0));
    auto [it, o]    = elems<2>(w, redex.group(1));
    auto [out, acc] = redex.elems<2>();
    auto extents    = elements_of(w, k, it);
    auto fixed      = numbers_of(w, m, o);
    if (!extents || !fixed) return nullptr;
    DefVec indices(extents->size());
    for (size_t j = 0; j != fixed->size(); ++j) indices[(*fixed)[j]] = fixed->size() == 1 ? out : w.extract(out, j);
    return nested(w, *extents, indices, redex.group(3), acc);
}

/// The operation that `c` is.
static const Def* chooser(const Def* c) {
    auto lam = isa_known(c);
    auto app = lam ? lam->body()->isa<App>() : nullptr;
    return app && app->arg() == lam->var() ? app->callee() : c;
}

/// %tensor.kind c ▷ the literal, if it is known what c is
const Def* normalize_kind(const Redex& redex) {
    auto& w = redex.w;
    auto c  = chooser(redex.arg);
    if (!isa_known(c) && !head_axiom(c)) return nullptr;
    auto axm       = head_axiom(c);
    bool is_sum    = axm && is_tag<math::arith>(axm->axiom()) && math::arith(sub_of(axm)) == math::arith::add;
    bool is_choice = axm && is_tag<math::extrema>(axm->axiom());
    return w.lit_nat(is_sum ? 1 : is_choice ? 2 : 0);
}

/// %tensor.second c (a, b) ▷ the comparison, if c is one of %math.extrema
const Def* normalize_second(const Redex& redex) {
    auto& w     = redex.w;
    auto c      = chooser(redex.group(1));
    auto [a, b] = redex.elems<2>();
    auto axm    = head_axiom(c);
    if (!axm || !is_tag<math::extrema>(axm->axiom())) return nullptr;
    auto sub      = math::extrema(sub_of(axm));
    bool is_least = sub == math::extrema::fmin || sub == math::extrema::ieee754min;
    bool skips    = sub == math::extrema::fmin || sub == math::extrema::fmax; // NaNs
    auto compare  = [&](math::cmp how, const Def* x, const Def* y) { return w.call(how, w.lit_nat(0), {x, y}); };
    auto other    = skips ? b : a;
    auto is_nan   = compare(math::cmp::u, other, other);
    auto is_first = compare(is_least ? math::cmp::le : math::cmp::ge, a, b);
    auto either   = w.call(core::bit2::or_, w.lit_nat(0), {is_nan, is_first});
    return w.call(core::bit1::neg, w.lit_nat(0), either);
}

namespace {

/// The output of a `map_reduce` over the dimensions `first` of the output's, as the diagonal of one over all of them.
const Def* diagonal(World& w, const Numbers& outer, const Numbers& dims, const DefVec& extents, const Def* type, const Def* inner,
                    const Def* other) {
    auto shape_of = [&](const Numbers& of) { return w.tuple(map_defs(of, [&](auto d) { return extents[d]; })); };
    auto shape    = shape_of(outer);
    auto types    = map_defs(outer, [&](auto d) { return w.idx(extents[d]); });
    auto h        = w.mut_lam(w.pi(w.sigma(types), type));
    auto index    = [&](size_t j) { return outer.size() == 1 ? h->var() : w.extract(h->var(), j); };
    auto number   = [&](const Def* i) { return w.call(core::bitcast(0), w.nat(), i); };
    const Def* is = w.tt();
    DefVec at;
    for (auto d : dims) {
        const Def* first = nullptr;
        for (size_t j = 0; j != outer.size(); ++j) {
            if (outer[j] != d) continue;
            if (first)
                is = w.call(core::bit2::and_, w.lit_nat(0), {is, w.call(core::ncmp::e, {number(first), number(index(j))})});
            else first = index(j);
        }
        at.push_back(first);
    }
    auto element = w.apply<get>(w.tuple({w.lit_nat(dims.size()), shape_of(dims), type}), {inner, w.tuple(at)});
    w.set(h, w.tt(), w.extract(w.tuple({other, element}), is));
    return w.apply<generate>(w.lit_nat(outer.size()), shape, type, w.seal(h));
}

} // namespace

/// %tensor.map_reduce_both (o, ua, ub) (e, c, z, p) (as, bs) ▷ %tensor.map_reduce (o, (ua…, ub…)) (e', c, z, p) (as…, bs…)
const Def* normalize_map_reduce_both(const Redex& redex) {
    auto& w        = redex.w;
    auto implicits = redex.group(0);
    auto part      = [&](size_t i) { return elem(w, implicits, i); };
    auto k = part(0), m = part(1), na = part(2), nb = part(3), it = part(4), from = part(9), to = part(10);
    auto [o, ua, ub]  = elems<3>(w, redex.group(1));
    auto [e, c, z, p] = elems<4>(w, redex.group(2));
    auto [as, bs]     = redex.elems<2>();
    auto outer        = numbers_of(w, m, o);
    auto extents      = elements_of(w, k, it);
    auto list         = [&](const Def* a, const Def* b) -> std::optional<DefVec> {
        auto first = elements_of(w, na, a), second = elements_of(w, nb, b);
        if (!first || !second) return {};
        first->insert(first->end(), second->begin(), second->end());
        return first;
    };
    auto ranks = list(part(5), part(7)), types = list(part(6), part(8)), us = list(ua, ub), arrays = list(as, bs);
    if (!outer || !extents || !ranks || !types || !us || !arrays) return nullptr;

    auto num_a = *value(na);
    auto joint = w.mut_lam(w.pi(w.sigma(*types), from));
    auto elems = def_vec(types->size(), [&](auto i) { return types->size() == 1 ? joint->var() : w.extract(joint->var(), i); });
    auto first = w.tuple(DefVec(elems.begin(), elems.begin() + long(num_a)));
    auto rest  = w.tuple(DefVec(elems.begin() + long(num_a), elems.end()));
    w.set(joint, w.tt(), w.app(e, {first, rest}));

    Numbers dims;
    for (auto d : *outer)
        if (std::ranges::find(dims, d) == dims.end()) dims.push_back(d);
    auto all    = w.tuple({k, w.lit_nat(dims.size()), w.lit_nat(types->size()), it, w.tuple(*ranks), w.tuple(*types), from, to});
    auto result = w.apply<map_reduce>(all, {subscripts(w, dims, extents->size()), w.tuple(*us)},
                                      w.tuple({w.seal(joint), c, z, p}), w.tuple(*arrays));
    return dims.size() == outer->size() ? result : diagonal(w, *outer, dims, *extents, to, result, w.app(p, z));
}

} // namespace mim::plug::tensor
