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
const Def* normalize_permute(const Redex& redex) {
    auto& w          = redex.w;
    auto [table, at] = redex.elems<2>();
    VecType result(w, redex.type), from_type(w, table->type());
    auto n = from_type.lanes();
    if (n == 0) return nullptr; // there are no indices
    if (auto x = isa_splat(table)) return make_splat(w, result.n, x);
    if (auto i = isa_splat(at)) return make_splat(w, result.n, w.apply<get>({from_type.n, from_type.elem}, {table, i}));
    auto index = numbers(w, at);
    if (!index) return nullptr;
    if (is_identity(*index, n)) return table;
    if (auto lanes = isa_constant(w, table))
        return make_from(w, result.elem, map_defs(*index, [&](auto i) { return (*lanes)[i]; }));
    auto inner = match<permute>(table);
    if (!inner) return nullptr;
    auto [values, first] = elems<2>(w, inner.arg());
    return isa_constant(w, first) ? w.call<permute>({values, w.call<permute>({first, at})}) : nullptr;
}

/// concat of vectors without lanes, of equal splats, of what is written out
const Def* normalize_concat(const Redex& redex) {
    auto& w     = redex.w;
    auto [a, b] = redex.elems<2>();
    VecType result(w, redex.type), first(w, a->type()), second(w, b->type());
    auto n = first.lanes(), m = second.lanes();
    if (n == 0) return b;
    if (m == 0) return a;
    if (auto x = isa_splat(a); x && x == isa_splat(b)) return make_splat(w, result.n, x);
    auto x = isa_constant(w, a), y = isa_constant(w, b);
    if (!x || !y) return nullptr;
    x->insert(x->end(), y->begin(), y->end());
    return make_from(w, result.elem, *x);
}

unsigned full_width(World& w, const Def* elem) {
    if (elem == w.bool_type()) return 1;
    auto idx  = isa_idx(elem);
    auto size = idx ? value(idx) : std::nullopt;
    if (size && size != 0x100 && size != 0x10000 && size != 0x100000000) return 0;
    auto l = layout(w, elem);
    return l ? static_cast<unsigned>(8 * l->size) : 0;
}

/// bitcast v ▷ v if nothing changes · bitcast (bitcast v) ▷ bitcast v · of constants ▷ its value
const Def* normalize_bitcast(const Redex& redex) {
    auto& w = redex.w;
    if (redex.arg->type() == redex.type) return redex.arg;
    VecType from(w, redex.arg->type()), to(w, redex.type);
    auto n = from.lanes(), m = to.lanes();
    auto width = full_width(w, from.elem), to_width = full_width(w, to.elem);
    if (!n || !m || !width || !to_width || *n > max_bits || *m > max_bits || *n * width != *m * to_width) return nullptr;
    if (auto inner = match<bitcast>(redex.arg)) {
        auto v = inner.arg();
        return w.apply<bitcast>(arg_of(v->type()), {to.n, to.elem}, v);
    }
    auto lanes = numbers(w, redex.arg);
    if (!lanes || *m > max_folded) return nullptr;
    auto bit  = [&](uint64_t i) { return (*lanes)[i / width] >> i % width & 1; };
    auto lane = [&](uint64_t i) {
        uint64_t bits = 0;
        for (unsigned b = 0; b != to_width; ++b) bits |= bit(i * to_width + b) << b;
        return to.elem->isa<Nat>() || isa_idx(to.elem) ? w.lit(to.elem, bits) : w.raw_lit(to.elem, bits);
    };
    return make_from(w, to.elem, def_vec(*m, lane));
}

/*
 * one value of many lanes
 */

namespace {

/// Of constants, the value; of one lane, that lane; of none, 0.
const Def* reduce_floats(const Redex& redex) {
    auto& w  = redex.w;
    auto arg = redex.arg;
    VecType v(w, arg->type());
    auto n = v.lanes();
    if (!n) return nullptr;
    if (*n == 0) return w.raw_lit(redex.type, 0);
    auto lane = [&](uint64_t i) { return w.apply<get>({v.n, v.elem}, {arg, w.lit_idx(*n, i)}); };
    if (*n == 1) return lane(0);
    if (!isa_constant(w, arg)) return nullptr;
    auto step   = step_callee(w, reduce(redex.sub()), arg_of(v.elem), redex.group(1));
    auto result = lane(0);
    for (uint64_t i = 1; i != *n; ++i) result = w.app(step, {result, lane(i)});
    return isa_lit(result) ? result : nullptr;
}

} // namespace

/// Of constants, the value; of one lane, that lane; x of many x for what changes nothing when it is repeated.
const Def* normalize_reduce(const Redex& redex) {
    auto& w = redex.w;
    auto op = reduce(redex.sub());
    if (op >= reduce::fadd) return reduce_floats(redex);
    auto s = w.extract(redex.group(0), 1);
    VecType type(w, redex.arg->type());
    auto n = type.lanes();
    if (n == 0) return neutral(w, op, s);
    if (auto x = isa_splat(redex.arg); x && n && op != reduce::add && op != reduce::mul && op != reduce::xor_) return x;
    auto lanes = isa_constant(w, redex.arg);
    if (!lanes) return nullptr;
    auto step   = step_callee(w, op, s);
    auto result = lanes->front();
    for (size_t i = 1; i != lanes->size(); ++i) result = w.app(step, {result, (*lanes)[i]});
    return isa_lit(result) ? result : nullptr;
}

const Def* normalize_count(const Redex& redex) {
    auto lanes = numbers(redex.w, redex.arg);
    if (!lanes) return nullptr;
    bool counts = is_tag<count>(head_axiom(redex.callee)->axiom());
    uint64_t i  = 0;
    if (counts)
        for (auto lane : *lanes) i += lane;
    else
        while (i != lanes->size() && !(*lanes)[i]) ++i;
    return redex.w.lit_nat(i);
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
const Def* normalize_bits(const Redex& redex) {
    auto s = redex.group(1);
    auto n = VecType(redex.w, redex.arg->type()).lanes();
    if (auto m = match<mask>(redex.arg); m && m.arg()->type() == redex.type && n && n == width_of(s)) return m.arg();
    auto lanes = numbers(redex.w, redex.arg);
    auto size  = s->isa<Lit>();
    if (!lanes || !size || (!size->is_2_64() && size->value() == 0)) return nullptr;
    uint64_t bits = 0;
    for (size_t i = 0; i < lanes->size() && i < 64; ++i) bits |= (*lanes)[i] << i;
    return redex.w.lit_idx(s, size->is_2_64() ? bits : bits % size->value());
}

/// mask n (bits s m) ▷ m for n lanes m of which s has all · of constants ▷ its value
const Def* normalize_mask(const Redex& redex) {
    auto& w = redex.w;
    auto n  = value(redex.group(1));
    if (!n || *n > max_folded) return nullptr;
    if (auto m = match<bits>(redex.arg)) {
        auto width = width_of(isa_idx(redex.arg->type()));
        auto lanes = VecType(w, m.arg()->type()).lanes();
        if (width && lanes == n && *n <= *width) return m.arg();
    }
    auto number = value(redex.arg);
    if (!number) return nullptr;
    return make_from(w, w.bool_type(), def_vec(*n, [&](size_t i) { return w.lit_bool(i < 64 && (*number >> i & 1)); }));
}

/// prefix n of a constant ▷ its value
const Def* normalize_prefix(const Redex& redex) {
    auto& w = redex.w;
    auto n = value(redex.group(0)), count = value(redex.arg);
    if (!n || !count || *n > max_folded) return nullptr;
    return make_from(w, w.bool_type(), def_vec(*n, [&](size_t i) { return w.lit_bool(i < *count); }));
}

/*
 * memory
 */

namespace {

/// Whether the mask is all true, or all false; nothing if neither is known.
std::optional<bool> uniform(World& w, const Def* m) {
    auto x = isa_splat(m);
    if (x && isa_lit(x)) return *value(x) != 0;
    auto lanes = numbers(w, m);
    if (!lanes || lanes->empty()) return {};
    for (auto lane : *lanes)
        if (lane != lanes->front()) return {};
    return lanes->front() != 0;
}

/// In place of a load of the same type.
const Def* load_all(const Redex& redex, const Def* mem, const Def* p) {
    auto& w = redex.w;
    VecType v(w, redex.type->as<Sigma>()->op(1));
    return w.apply<load>(v.elem, redex.group(1), {v.n, w.lit_nat(1)}, {mem, p});
}

} // namespace

/// load_if (m, p, all false, v) ▷ (m, v) · load_if (m, p, all true, v) ▷ load (m, p)
const Def* normalize_load_if(const Redex& redex) {
    auto [mem, p, mask, otherwise] = redex.elems<4>();
    auto all                       = uniform(redex.w, mask);
    if (!all) return nullptr;
    return *all ? load_all(redex, mem, p) : redex.w.tuple({mem, otherwise});
}

/// store_if (m, p, all false, v) ▷ m · store_if (m, p, all true, v) ▷ store (m, p, v)
const Def* normalize_store_if(const Redex& redex) {
    auto [mem, p, mask, v] = redex.elems<4>();
    auto all               = uniform(redex.w, mask);
    if (!all) return nullptr;
    return *all ? redex.w.apply<store>(redex.group(0), redex.group(1), 1, {mem, p, v}) : mem;
}

/// load_prefix n (m, p, len) ▷ load (m, p) for len ≥ n
const Def* normalize_load_prefix(const Redex& redex) {
    auto [mem, p, len] = redex.elems<3>();
    auto n = value(redex.group(2)), k = value(len);
    return n && k && *k >= *n ? load_all(redex, mem, p) : nullptr;
}

} // namespace mim::plug::vec
