// SPDX-License-Identifier: MIT
// Normalizers of what moves lanes, puts them together, or goes to memory.
#include <bit>

#include "ir/layout.h"
#include "vec.h"

namespace mim::plug::vec {

/*
 * moving lanes
 */

namespace {

/// permute (t, (0, 1, …)) ▷ t
bool is_identity(const std::vector<uint64_t>& at, const std::optional<uint64_t>& n) {
    if (!n || at.size() != *n) return false;
    for (size_t i = 0; i != at.size(); ++i)
        if (at[i] != i) return false;
    return true;
}

} // namespace

/// permute (splat x, i) ▷ splat x · permute (t, splat i) ▷ splat (t#i) · of constants ▷ its value ·
/// permute (permute (t, i), j) ▷ permute (t, permute (i, j)) for constants i, j
const Def* normalize_permute(World& w, const Def* type, const Def*, const Def* arg) {
    auto table = w.extract(arg, uint64_t(0)), at = w.extract(arg, 1);
    VecType result(w, type), from_type(w, table->type());
    auto n = from_type.lanes();
    if (n && *n == 0) return nullptr; // there are no indices
    if (auto x = isa_splat(table)) return make_splat(w, result.n, x);
    if (auto i = isa_splat(at))
        return make_splat(w, result.n, w.app(w.app(w.annex(get(0)), {from_type.n, from_type.elem}), {table, i}));
    auto index = numbers(w, at);
    if (!index) return nullptr;
    if (is_identity(*index, n)) return table;
    if (auto lanes = isa_constant(w, table)) {
        std::vector<const Def*> moved;
        for (auto i : *index) moved.push_back((*lanes)[i]);
        return make_from(w, result.elem, moved);
    }
    auto inner = match<permute>(table);
    if (!inner) return nullptr;
    auto first = w.extract(inner.arg(), 1);
    if (!isa_constant(w, first)) return nullptr;
    return w.call<permute>(w.tuple({w.extract(inner.arg(), uint64_t(0)), w.call<permute>(w.tuple({first, at}))}));
}

/// concat of vectors without lanes, of equal splats, of what is written out
const Def* normalize_concat(World& w, const Def* type, const Def*, const Def* arg) {
    auto a = w.extract(arg, uint64_t(0)), b = w.extract(arg, 1);
    VecType result(w, type), first(w, a->type()), second(w, b->type());
    auto n = first.lanes(), m = second.lanes();
    if (n && *n == 0) return b;
    if (m && *m == 0) return a;
    if (auto x = isa_splat(a); x && x == isa_splat(b)) return make_splat(w, result.n, x);
    auto x = isa_constant(w, a), y = isa_constant(w, b);
    if (!x || !y) return nullptr;
    x->insert(x->end(), y->begin(), y->end());
    return make_from(w, result.elem, *x);
}

unsigned full_width(World& w, const Def* elem) {
    if (elem == w.bool_type()) return 1;
    auto size = isa_idx(elem);
    auto lit  = size ? isa_lit(size) : nullptr;
    if (lit && lit->value() != 0x100 && lit->value() != 0x10000 && lit->value() != 0x100000000) return 0;
    auto l = layout(w, elem);
    return l ? static_cast<unsigned>(8 * l->size) : 0;
}

/// bitcast v ▷ v if nothing changes · bitcast (bitcast v) ▷ bitcast v · of constants ▷ its value
const Def* normalize_bitcast(World& w, const Def* type, const Def*, const Def* arg) {
    if (arg->type() == type) return arg;
    VecType from(w, arg->type()), to(w, type);
    auto n = from.lanes(), m = to.lanes();
    auto width = full_width(w, from.elem), to_width = full_width(w, to.elem);
    if (!n || !m || !width || !to_width || *n > max_bits || *m > max_bits || *n * width != *m * to_width) return nullptr;
    if (auto inner = match<bitcast>(arg)) {
        auto v      = inner.arg();
        auto callee = w.app(w.annex(bitcast(0)), v->type()->as<App>()->arg());
        return w.app(w.app(callee, {to.n, to.elem}), v);
    }
    auto lanes = numbers(w, arg);
    if (!lanes || *m > max_folded) return nullptr;
    auto bit = [&](uint64_t i) { return (*lanes)[i / width] >> i % width & 1; };
    std::vector<const Def*> result;
    for (uint64_t i = 0; i != *m; ++i) {
        uint64_t bits = 0;
        for (unsigned b = 0; b != to_width; ++b) bits |= bit(i * to_width + b) << b;
        result.push_back(to.elem->isa<Nat>() || isa_idx(to.elem) ? w.lit(to.elem, bits) : w.raw_lit(to.elem, bits));
    }
    return make_from(w, to.elem, result);
}

/*
 * one value of many lanes
 */

namespace {

/// Of constants, the value; of one lane, that lane; of none, 0.
const Def* reduce_floats(World& w, const Def* type, const Def* callee, const Def* arg) {
    VecType v(w, arg->type());
    auto n = v.lanes();
    if (!n) return nullptr;
    if (*n == 0) return w.raw_lit(type, 0);
    auto lane = [&](uint64_t i) { return w.app(w.app(w.annex(get(0)), {v.n, v.elem}), {arg, w.lit_idx(*n, i)}); };
    if (*n == 1) return lane(0);
    if (!isa_constant(w, arg)) return nullptr;
    auto step   = step_callee(w, reduce(sub_of(callee)), v.elem->as<App>()->arg(), group(callee));
    auto result = lane(0);
    for (uint64_t i = 1; i != *n; ++i) result = w.app(step, {result, lane(i)});
    return isa_lit(result) ? result : nullptr;
}

} // namespace

/// Of constants, the value; of one lane, that lane; x of many x for what changes nothing when it is repeated.
const Def* normalize_reduce(World& w, const Def* result_type, const Def* callee, const Def* arg) {
    auto op = reduce(sub_of(callee));
    if (op >= reduce::fadd) return reduce_floats(w, result_type, callee, arg);
    auto s = w.extract(group(callee), 1);
    VecType type(w, arg->type());
    auto n = type.lanes();
    if (n && *n == 0) return neutral(w, op, s);
    if (auto x = isa_splat(arg); x && n && op != reduce::add && op != reduce::mul && op != reduce::xor_) return x;
    auto lanes = isa_constant(w, arg);
    if (!lanes) return nullptr;
    auto step   = step_callee(w, op, s);
    auto result = lanes->front();
    for (size_t i = 1; i != lanes->size(); ++i) result = w.app(step, {result, (*lanes)[i]});
    return isa_lit(result) ? result : nullptr;
}

const Def* normalize_count(World& w, const Def*, const Def* callee, const Def* arg) {
    auto lanes = numbers(w, arg);
    if (!lanes) return nullptr;
    bool counts = head_axiom(callee)->axiom().id.tag == AnnexTraits<count>::tag;
    uint64_t i  = 0;
    if (counts)
        for (auto lane : *lanes) i += lane;
    else
        while (i != lanes->size() && !(*lanes)[i]) ++i;
    return w.lit_nat(i);
}

namespace {

/// w if s is 2^w.
std::optional<uint64_t> width_of(const Def* s) {
    auto lit = s->isa<Lit>();
    if (!lit) return {};
    if (lit->is_2_64()) return 64;
    if (!std::has_single_bit(lit->value())) return {};
    return std::countr_zero(lit->value());
}

} // namespace

/// bits 2^n (mask n b) ▷ b · of constants ▷ its value
const Def* normalize_bits(World& w, const Def* type, const Def* callee, const Def* arg) {
    auto s = group(callee);
    auto n = VecType(w, arg->type()).lanes();
    if (auto m = match<mask>(arg); m && m.arg()->type() == type && n && n == width_of(s)) return m.arg();
    auto lanes = numbers(w, arg);
    auto size  = s->isa<Lit>();
    if (!lanes || !size || (!size->is_2_64() && size->value() == 0)) return nullptr;
    uint64_t bits = 0;
    for (size_t i = 0; i < lanes->size() && i < 64; ++i) bits |= (*lanes)[i] << i;
    return w.lit_idx(s, size->is_2_64() ? bits : bits % size->value());
}

/// mask n (bits s m) ▷ m for n lanes m of which s has all · of constants ▷ its value
const Def* normalize_mask(World& w, const Def*, const Def* callee, const Def* arg) {
    auto n = isa_lit(group(callee));
    if (!n || n->value() > max_folded) return nullptr;
    if (auto m = match<bits>(arg)) {
        auto width = width_of(isa_idx(arg->type()));
        auto lanes = VecType(w, m.arg()->type()).lanes();
        if (width && lanes && *lanes == n->value() && *lanes <= *width) return m.arg();
    }
    auto number = isa_lit(arg);
    if (!number) return nullptr;
    std::vector<const Def*> lanes;
    for (uint64_t i = 0; i != n->value(); ++i) lanes.push_back(w.lit_bool(i < 64 && (number->value() >> i & 1)));
    return make_from(w, w.bool_type(), lanes);
}

/// prefix n of a constant ▷ its value
const Def* normalize_prefix(World& w, const Def*, const Def* callee, const Def* arg) {
    auto n = isa_lit(group(callee)), count = isa_lit(arg);
    if (!n || !count || n->value() > max_folded) return nullptr;
    std::vector<const Def*> lanes;
    for (uint64_t i = 0; i != n->value(); ++i) lanes.push_back(w.lit_bool(i < count->value()));
    return make_from(w, w.bool_type(), lanes);
}

/*
 * memory
 */

namespace {

/// Whether the mask is all true, or all false; nothing if neither is known.
std::optional<bool> uniform(World& w, const Def* m) {
    if (auto x = isa_splat(m)) {
        if (auto lit = isa_lit(x)) return lit->value() != 0;
    }
    auto lanes = numbers(w, m);
    if (!lanes || lanes->empty()) return {};
    for (auto lane : *lanes)
        if (lane != lanes->front()) return {};
    return lanes->front() != 0;
}

const Def* load_all(World& w, const Def* space, const Def* type, const Def* mem, const Def* p) {
    VecType v(w, type);
    auto callee = w.app(w.app(w.annex(load(0)), v.elem), space);
    return w.app(w.app(callee, {v.n, w.lit_nat(1)}), {mem, p});
}

} // namespace

/// load_if (m, p, all false, v) ▷ (m, v) · load_if (m, p, all true, v) ▷ load (m, p)
const Def* normalize_load_if(World& w, const Def* type, const Def* callee, const Def* arg) {
    auto mem = w.extract(arg, uint64_t(0)), otherwise = w.extract(arg, 3);
    auto all = uniform(w, w.extract(arg, 2));
    if (!all) return nullptr;
    if (!*all) return w.tuple({mem, otherwise});
    return load_all(w, group(callee), type->as<Sigma>()->op(1), mem, w.extract(arg, 1));
}

/// store_if (m, p, all false, v) ▷ m · store_if (m, p, all true, v) ▷ store (m, p, v)
const Def* normalize_store_if(World& w, const Def*, const Def* callee, const Def* arg) {
    auto mem = w.extract(arg, uint64_t(0));
    auto all = uniform(w, w.extract(arg, 2));
    if (!all) return nullptr;
    if (!*all) return mem;
    auto whole = w.app(w.app(w.annex(store(0)), group(callee, 1)), group(callee));
    return w.app(w.app(whole, w.lit_nat(1)), {mem, w.extract(arg, 1), w.extract(arg, 3)});
}

/// load_prefix n (m, p, len) ▷ load (m, p) for len ≥ n
const Def* normalize_load_prefix(World& w, const Def* type, const Def* callee, const Def* arg) {
    auto n = isa_lit(group(callee)), len = isa_lit(w.extract(arg, 2));
    if (!n || !len || len->value() < n->value()) return nullptr;
    return load_all(w, group(callee, 1), type->as<Sigma>()->op(1), w.extract(arg, uint64_t(0)), w.extract(arg, 1));
}

} // namespace mim::plug::vec
