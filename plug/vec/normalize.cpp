// SPDX-License-Identifier: MIT
// Normalizers of what works lane by lane. Constants are folded by the scalar operation, and so are splats; every other law of an
// element-wise operation is one of its scalar operation: it is asked for, with symbols in place of lanes that are not known.
#include "vec.h"

namespace mim::plug::vec {

namespace {

/// The operands of an operation: one vector, or a tuple of k.
DefVec operands(World& w, const Def* arg) {
    auto k = lit_arity(w, arg->type());
    DefVec result;
    for (int64_t i = 0; i < k; ++i) result.push_back(k == 1 ? arg : w.extract(arg, i));
    return result;
}

/// The result of `f` at each lane, if all operands are constants; none if something does not become a literal.
const Def* fold(World& w, const Def* f, const Def* elem, const DefVec& vectors) {
    std::vector<DefVec> lanes;
    for (auto v : vectors) {
        auto constant = isa_constant(w, v);
        if (!constant) return nullptr;
        lanes.push_back(*constant);
    }
    DefVec results;
    for (size_t i = 0; i != lanes[0].size(); ++i) {
        results.push_back(w.app(f, w.tuple(map_defs(lanes, [&](auto& l) { return l[i]; }))));
        if (!isa_lit(results.back())) return nullptr;
    }
    return make_from(w, elem, results);
}

} // namespace

/// op (splat x, splat y) ▷ splat (op (x, y)); op of constants ▷ its value; and what holds at each lane.
const Def* normalize_lift(const Redex& redex) {
    auto& w      = redex.w;
    auto vectors = operands(w, redex.arg);
    VecType result(w, redex.type);
    auto f = scalar_callee(w, redex.callee);
    DefVec lanes;
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
const Def* normalize_from(const Redex& redex) { return cancel<to>(redex); }

/// to (from a) ▷ a
const Def* normalize_to(const Redex& redex) { return isa_from(redex.arg); }

/// get (from a, i) ▷ a#i · get (set (v, i, x), i) ▷ x · get (set (v, i, x), j) ▷ get (v, j) for literals i ≠ j
const Def* normalize_get(const Redex& redex) {
    auto& w     = redex.w;
    auto [v, i] = redex.elems<2>();
    if (auto x = isa_splat(v)) return x;
    if (auto array = isa_from(v)) return w.extract(array, i);
    if (auto m = match<set>(v)) {
        auto [before, at, x] = elems<3>(w, m.arg());
        if (at == i) return x;
        if (isa_lit(at) && isa_lit(i)) return w.app(redex.callee, {before, i});
    }
    return nullptr;
}

/// set (from a, i, x) ▷ from (ins (a, i, x)) · set (v, i, get (v, i)) ▷ v · set (set (v, i, x), i, y) ▷ set (v, i, y)
const Def* normalize_set(const Redex& redex) {
    auto& w        = redex.w;
    auto [v, i, x] = redex.elems<3>();
    VecType result(w, redex.type);
    if (result.lanes() == 1) return make_from(w, result.elem, {x});
    if (auto array = isa_from(v); array && isa_lit(i) && result.lanes() && *result.lanes() <= max_folded)
        return make_from(w, result.n, result.elem, w.insert(array, i, x));
    if (auto m = match<get>(x); m && operand(w, m, 0) == v && operand(w, m, 1) == i) return v;
    if (auto m = match<set>(v); m && operand(w, m, 1) == i) return w.app(redex.callee, {operand(w, m, 0), i, x});
    return nullptr;
}

/// select (splat c, t, f) ▷ t or f · select (m, t, t) ▷ t · of constants ▷ its value
const Def* normalize_select(const Redex& redex) {
    auto& w        = redex.w;
    auto [m, t, f] = redex.elems<3>();
    if (t == f) return t;
    if (auto c = isa_splat(m)) return w.select(c, t, f);
    auto mask = isa_constant(w, m), yes = isa_constant(w, t), no = isa_constant(w, f);
    if (!mask || !yes || !no) return nullptr;
    auto lane = [&](size_t i) { return is_value((*mask)[i], 0) ? (*no)[i] : (*yes)[i]; };
    return make_from(w, VecType(w, redex.type).elem, def_vec(mask->size(), lane));
}

} // namespace mim::plug::vec
