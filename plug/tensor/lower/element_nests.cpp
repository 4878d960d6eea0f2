// SPDX-License-Identifier: MIT
// A `generate` whose element is made of one reduction is a nest of both: its loops may be in any order that keeps the
// order of terms, as those of one `map_reduce`. Any index may occur in a term, and in what becomes of the sum. A fold is
// such a reduction if what it carries is a number, or a few of them.
#include "base/worklist.h"
#include "ir/questions.h"
#include "kit/build.h"
#include "kit/match.h"
#include "lower/packs.h"
#include "lower/tensors.h"

namespace mim::plug::tensor {

/// It is evaluated whenever what it is a part of is, in the same turn: it is no call, and calls only what is known.
static bool is_plain(const Def* def) {
    if (def->isa<Tuple>() || def->isa<Extract>() || match<get>(def)) return true;
    auto axm = head_axiom(def);
    return def->isa<App>() && axm && axm->axiom().has(Axiom::Speculatable);
}

/// Numbers, of which a turn can have as many as there are.
static bool is_small(const Def* type) {
    static constexpr uint64_t max_parts = 8;
    if (auto arr = type->isa<Arr>()) return value(arr->arity()).value_or(max_parts + 1) <= max_parts && !arr->body()->isa<Arr>();
    if (auto sigma = type->isa<Sigma>())
        return sigma->num_ops() <= max_parts
               && std::ranges::none_of(sigma->ops(), [](auto op) { return op->template isa<Arr>() != nullptr; });
    return true;
}

/// It is reduced to a number, or to a few.
static bool is_small_reduction(World& w, const Def* op) {
    if (match<map_reduce>(op)) return is_value(elem(w, group(op, 0), 1), 0);
    return match<fold>(op) && isa_known(group(op, 1)) && is_data(op->type()) && is_small(op->type());
}

/// The one reduction to a number, or to a few, that the function's result is made of by plain operations.
static const Def* reduction_in(World& w, const Lam* f) {
    const Def* result = nullptr;
    Worklist<const Def*> todo{f->body()};
    while (auto def = todo.next()) {
        if (!is_free_in(w, f->var(), def) || def == f->var() || is_type(def)) continue;
        bool is_reduction = is_small_reduction(w, def);
        if (is_reduction && result) return nullptr;
        if (is_reduction) result = def;
        else if (is_plain(def)) todo.push_all(def->ops());
        else if (!head_axiom(def) || def->type()->isa<Arr>()) return nullptr;
    }
    return result;
}

/// The same in all turns of the loops around: the iteration space, the start, and, but of a fold, how terms are combined.
static bool is_steady(World& w, const Def* reduction, const Def* index) {
    auto is_same = [&](auto def) { return !is_free_in(w, index, def); };
    if (match<fold>(reduction)) return is_same(group(reduction, 2)) && is_same(elem(w, group(reduction, 3), 0));
    auto [e, c, z, p] = elems<4>(w, group(reduction, 2));
    auto extents      = elem(w, group(reduction, 0), 3);
    return is_same(extents) && is_same(c) && is_same(z);
}

MapReduce Tensors::fold_of(const Def* op, Reader reader) {
    auto f = part(op, 1), n = part(op, 2);
    auto a = elements(old(op, 3, 1), {n}, part(op, 0, 1), reader);
    MapReduce r;
    r.extents = {n};
    r.inner   = {0};
    r.c = f, r.z = rewrite(old(op, 3, 0));
    r.from = r.to = part(op, 0, 0);
    r.term        = [a](Defs index) { return a.at(index); };
    r.next        = [=, this](Defs index, const Def* acc) { return w.app(f, {acc, a.at(index)}); };
    r.end         = [](Defs, const Def* last) { return last; };
    r.ends_as_is  = true;
    return r;
}

std::optional<MapReduce> Tensors::nest_of(const Def* op) {
    auto h = isa_known(group(op, 3));
    if (!h || program().users(h).size() != 1 || known_value(h)) return {};
    auto reduction = reduction_in(w, h);
    if (!reduction || !is_steady(w, reduction, h->var())) return {};

    auto shape = list(op, part(op, 0), part(op, 1));
    auto var   = w.mut_lam(w.cn(rewrite(h->dom())))->var();
    map(h->var(), var);
    auto inner = match<fold>(reduction) ? fold_of(reduction, {reduction, true}) : map_reduce_of(reduction, {reduction, true});
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
    r.next       = [=](Defs index, const Def* acc) { return at(inner.next(index.subspan(n), acc), index.first(n)); };
    r.end        = [=, this](Defs index, const Def* last) { return at(w.subst(end, sum, last), index); };
    r.ends_as_is = end == sum;
    return r;
}

} // namespace mim::plug::tensor
