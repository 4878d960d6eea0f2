// SPDX-License-Identifier: MIT
// Normalizers of what works lane by lane. Constants are folded by the scalar operation, and so are splats; every other law of an
// element-wise operation is one of its scalar operation: it is asked for, with symbols in place of lanes that are not known.
#include "vec.h"

namespace mim::plug::vec {

namespace {

/// The operands of an operation: one vector, or a tuple of k.
std::vector<const Def*> operands(World& w, const Def* arg) {
    auto k = w.lit_arity(arg->type());
    std::vector<const Def*> result;
    for (int64_t i = 0; i < k; ++i) result.push_back(k == 1 ? arg : w.extract(arg, i));
    return result;
}

/// The result of `f` at each lane, if all operands are constants; none if something does not become a literal.
const Def* fold(World& w, const Def* f, const Def* elem, const std::vector<const Def*>& vectors) {
    std::vector<std::vector<const Def*>> lanes;
    for (auto v : vectors) {
        auto constant = isa_constant(w, v);
        if (!constant) return nullptr;
        lanes.push_back(*constant);
    }
    std::vector<const Def*> results;
    for (size_t i = 0; i != lanes[0].size(); ++i) {
        std::vector<const Def*> args;
        for (auto& l : lanes) args.push_back(l[i]);
        results.push_back(w.app(f, w.tuple(args)));
        if (!isa_lit(results.back())) return nullptr;
    }
    return make_from(w, elem, results);
}

} // namespace

/// op (splat x, splat y) ▷ splat (op (x, y)); op of constants ▷ its value; and what holds at each lane.
const Def* normalize_lift(World& w, const Def* type, const Def* callee, const Def* arg) {
    auto vectors = operands(w, arg);
    VecType result(w, type);
    auto f = scalar_callee(w, callee);
    std::vector<const Def*> lanes;
    bool uniform = result.lanes() != 0;
    for (auto v : vectors) {
        auto x   = isa_splat(v);
        uniform  = uniform && x;
        size_t k = 0;
        while (!x && vectors[k] != v) ++k;
        lanes.push_back(x ? x : symbol(w, k, VecType(w, v->type()).elem));
    }
    if (uniform) return make_splat(w, result.n, w.app(f, w.tuple(lanes)));
    if (auto v = fold(w, f, result.elem, vectors)) return v;
    auto any = w.app(f, w.tuple(lanes));
    if (isa_lit(any)) return make_splat(w, result.n, any);
    if (auto k = isa_symbol(any)) return vectors[*k];
    for (size_t i = 0; i != lanes.size(); ++i)
        if (lanes[i] == any) return vectors[i];
    return nullptr;
}

/// from (to v) ▷ v
const Def* normalize_from(World&, const Def*, const Def*, const Def* arg) {
    auto m = match<to>(arg);
    return m ? m.arg() : nullptr;
}

/// to (from a) ▷ a
const Def* normalize_to(World&, const Def*, const Def*, const Def* arg) { return isa_from(arg); }

/// get (from a, i) ▷ a#i · get (set (v, i, x), i) ▷ x · get (set (v, i, x), j) ▷ get (v, j) for literals i ≠ j
const Def* normalize_get(World& w, const Def*, const Def* callee, const Def* arg) {
    auto v = w.extract(arg, uint64_t(0)), i = w.extract(arg, 1);
    if (auto x = isa_splat(v)) return x;
    if (auto array = isa_from(v)) return w.extract(array, i);
    if (auto m = match<set>(v)) {
        auto at = w.extract(m.arg(), 1);
        if (at == i) return w.extract(m.arg(), 2);
        if (isa_lit(at) && isa_lit(i)) return w.app(callee, {w.extract(m.arg(), uint64_t(0)), i});
    }
    return nullptr;
}

/// set (from a, i, x) ▷ from (ins (a, i, x)) · set (v, i, get (v, i)) ▷ v · set (set (v, i, x), i, y) ▷ set (v, i, y)
const Def* normalize_set(World& w, const Def* type, const Def* callee, const Def* arg) {
    auto v = w.extract(arg, uint64_t(0)), i = w.extract(arg, 1), x = w.extract(arg, 2);
    VecType result(w, type);
    if (auto n = result.lanes(); n && *n == 1) return make_from(w, result.elem, {x});
    if (auto array = isa_from(v); array && isa_lit(i) && result.lanes() && *result.lanes() <= max_folded)
        return make_from(w, result.n, result.elem, w.insert(array, i, x));
    if (auto m = match<get>(x); m && w.extract(m.arg(), uint64_t(0)) == v && w.extract(m.arg(), 1) == i) return v;
    if (auto m = match<set>(v); m && w.extract(m.arg(), 1) == i) return w.app(callee, {w.extract(m.arg(), uint64_t(0)), i, x});
    return nullptr;
}

/// select (splat c, t, f) ▷ t or f · select (m, t, t) ▷ t · of constants ▷ its value
const Def* normalize_select(World& w, const Def* type, const Def*, const Def* arg) {
    auto m = w.extract(arg, uint64_t(0)), t = w.extract(arg, 1), f = w.extract(arg, 2);
    if (t == f) return t;
    if (auto c = isa_splat(m)) return w.select(c, t, f);
    auto mask = isa_constant(w, m), yes = isa_constant(w, t), no = isa_constant(w, f);
    if (!mask || !yes || !no) return nullptr;
    std::vector<const Def*> lanes;
    for (size_t i = 0; i != mask->size(); ++i) lanes.push_back(isa_lit((*mask)[i])->value() ? (*yes)[i] : (*no)[i]);
    return make_from(w, VecType(w, type).elem, lanes);
}

} // namespace mim::plug::vec
