// SPDX-License-Identifier: MIT
// A `generate` whose element is made of one reduction is a nest of both: its loops may be in any order that keeps the
// order of terms, as those of one `map_reduce`. Any index may occur in a term, and in what becomes of the sum.
#include "base/worklist.h"
#include "ir/questions.h"
#include "kit/build.h"
#include "lower/tensors.h"

namespace mim::plug::tensor {

/// It is evaluated whenever what it is a part of is, in the same turn: it is no call, and calls only what is known.
static bool is_plain(const Def* def) {
    if (def->isa<Tuple>() || def->isa<Extract>() || match<get>(def)) return true;
    auto axm = head_axiom(def);
    return def->isa<App>() && axm && axm->axiom().has(Axiom::Speculatable);
}

/// The one reduction to a number that the function's result is made of by plain operations.
static const Def* reduction_in(World& w, const Lam* f) {
    const Def* result = nullptr;
    Worklist<const Def*> todo{f->body()};
    while (auto def = todo.next()) {
        if (!is_free_in(w, f->var(), def) || def == f->var() || is_type(def)) continue;
        bool is_reduction = match<map_reduce>(def) && is_value(elem(w, group(def, 0), 1), 0);
        if (is_reduction && result) return nullptr;
        if (is_reduction) result = def;
        else if (is_plain(def)) todo.push_all(def->ops());
        else if (!head_axiom(def) || def->type()->isa<Arr>()) return nullptr;
    }
    return result;
}

/// The same in all turns of the loops around: the iteration space, the start, and how terms are combined.
static bool is_steady(World& w, const Def* reduction, const Def* index) {
    auto [e, c, z, p] = elems<4>(w, group(reduction, 2));
    auto extents      = elem(w, group(reduction, 0), 3);
    return std::ranges::none_of(DefVec{extents, c, z}, [&](auto def) { return is_free_in(w, index, def); });
}

std::optional<MapReduce> Tensors::nest_of(const Def* op) {
    auto h = isa_known(group(op, 3));
    if (!h || program().users(h).size() != 1 || known_value(h)) return {};
    auto reduction = reduction_in(w, h);
    if (!reduction || !is_steady(w, reduction, h->var())) return {};

    auto shape = list(op, part(op, 0), part(op, 1));
    auto var   = w.mut_lam(w.cn(rewrite(h->dom())))->var();
    map(h->var(), var);
    auto inner = map_reduce_of(reduction, {reduction, true});
    auto sum   = w.mut_lam(w.cn(inner.from))->var();
    map(reduction, inner.end({}, sum));
    auto end = rewrite(h->body());
    auto n   = shape.size();
    auto at  = [=, this](const Def* def, Defs index) { return w.subst(def, var, w.tuple(DefVec(index.begin(), index.end()))); };

    MapReduce r;
    r.extents = shape;
    r.extents.insert(r.extents.end(), inner.extents.begin(), inner.extents.end());
    for (uint64_t d = 0; d != r.extents.size(); ++d) (d < n ? r.outer : r.inner).push_back(d);
    r.c = inner.c, r.z = inner.z;
    r.from = inner.from, r.to = part(op, 2);
    r.term       = [=](Defs index) { return at(inner.term(index.subspan(n)), index.first(n)); };
    r.end        = [=, this](Defs index, const Def* last) { return at(w.subst(end, sum, last), index); };
    r.ends_as_is = end == sum;
    return r;
}

} // namespace mim::plug::tensor
