// SPDX-License-Identifier: MIT
// Element-wise axioms and constants. A lift has the groups of its scalar axiom, but that its first one begins with the number of lanes
// and that the last one has vectors.
#include <array>

#include "core/annexes.h"
#include "math/annexes.h"
#include "vec.h"

namespace mim::plug::vec {

namespace {

struct Lift {
    uint16_t tag, first, end; ///< subtags of %vec's axiom
    AnnexId scalar;           ///< of the first one
};

template<class Vec, class Scalar>
constexpr Lift lift(uint16_t first = 0, uint16_t end = AnnexTraits<Vec>::num_subs) {
    return {AnnexTraits<Vec>::tag, first, end, {AnnexTraits<Scalar>::plugin, AnnexTraits<Scalar>::tag, 0}};
}

constexpr Lift lifts[] = {
    lift<bit1, core::bit1>(),        lift<bit2, core::bit2>(),     lift<shr, core::shr>(),
    lift<wrap, core::wrap>(),        lift<icmp, core::icmp>(),     lift<extrema, core::extrema>(0, 4),
    lift<extrema, math::extrema>(4), lift<conv, core::conv>(0, 2), lift<conv, math::conv>(2),
    lift<arith, math::arith>(),      lift<minus, math::minus>(),   lift<abs, math::abs>(),
    lift<round, math::round>(),      lift<rt, math::rt>(),         lift<cmp, math::cmp>(),
    lift<tri, math::tri>(),          lift<exp, math::exp>(),
};

} // namespace

AnnexId scalar_of(const AnnexId& id) {
    for (auto& l : lifts)
        if (l.tag == id.tag && l.first <= id.sub && id.sub < l.end)
            return {l.scalar.plugin, l.scalar.tag, static_cast<uint16_t>(id.sub - l.first)};
    return {};
}

const Def* scalar_callee(World& w, const Def* callee) {
    auto first  = group(callee, 0);
    auto n      = size_t(lit_arity(w, first->type()));
    auto rest   = def_vec(n - 1, [&](size_t i) { return w.extract(first, i + 1); });
    auto scalar = w.app(w.annexes.at(scalar_of(head_axiom(callee)->axiom().id)), w.tuple(rest));
    for (size_t i = 1; i != num_groups(callee); ++i) scalar = w.app(scalar, group(callee, i));
    return scalar;
}

const Def* step_callee(World& w, reduce op, const Def* s) {
    auto modular = [&](auto op) { return w.apply(op, s, 0); };
    switch (op) {
        case reduce::add: return modular(core::wrap::add);
        case reduce::mul: return modular(core::wrap::mul);
        case reduce::and_: return modular(core::bit2::and_);
        case reduce::or_: return modular(core::bit2::or_);
        case reduce::xor_: return modular(core::bit2::xor_);
        case reduce::umin: return w.apply(core::extrema::umin, s);
        case reduce::umax: return w.apply(core::extrema::umax, s);
        case reduce::smin: return w.apply(core::extrema::smin, s);
        case reduce::smax: return w.apply(core::extrema::smax, s);
        default: return nullptr;
    }
}

const Def* step_callee(World& w, reduce op, const Def* pe, const Def* mode) {
    switch (op) {
        case reduce::fadd: return w.apply(math::arith::add, pe, mode);
        case reduce::fmul: return w.apply(math::arith::mul, pe, mode);
        case reduce::fmin: return w.apply(math::extrema::fmin, pe, mode);
        default: return w.apply(math::extrema::fmax, pe, mode);
    }
}

const Def* neutral(World& w, reduce op, const Def* s) {
    auto lit = s->isa<Lit>();
    if (!lit || (!lit->is_2_64() && lit->value() == 0)) return nullptr;
    auto last    = lit->value() - 1; // 2^64 - 1 for 2^64, which counts as 0
    auto most    = last / 2;         // the greatest number without sign
    uint64_t all = last;
    for (unsigned k = 1; k != 64; k *= 2) all |= all >> k; // all bits that numbers have
    auto number = [&](uint64_t v) { return w.lit_idx(s, v); };
    switch (op) {
        case reduce::add:
        case reduce::or_:
        case reduce::xor_:
        case reduce::umax: return number(0);
        case reduce::mul: return number(last == 0 ? 0 : 1);
        case reduce::and_: return all == last ? number(all) : nullptr; // there is none
        case reduce::umin: return number(last);
        case reduce::smin: return number(most);
        case reduce::smax: return number(last == 0 ? 0 : most + 1);
        default: return nullptr;
    }
}

/*
 * symbols
 */

namespace {

constexpr size_t num_symbols = 3;

/// Never declared: they live as long as somebody asks what an operation does at any lane.
const Axiom& symbol_axiom(size_t k) {
    static const auto axioms = [] {
        std::array<Axiom, num_symbols> all;
        for (size_t i = 0; i != num_symbols; ++i) all[i].id = {plugin_hash("%vec lane"), static_cast<uint16_t>(i), 0};
        return all;
    }();
    return axioms[k];
}

} // namespace

const Def* symbol(World& w, size_t k, const Def* T) { return w.axm(&symbol_axiom(k), T); }

std::optional<size_t> isa_symbol(const Def* def) {
    if (auto axm = def->isa<Axm>())
        for (size_t k = 0; k != num_symbols; ++k)
            if (&axm->axiom() == &symbol_axiom(k)) return k;
    return {};
}

/*
 * constants
 */

const Def* isa_from(const Def* v) {
    auto m = match<from>(v);
    return m ? m.arg() : nullptr;
}

const Def* isa_splat(const Def* v) {
    auto array = isa_from(v);
    auto pack  = array ? array->isa<Pack>() : nullptr;
    return pack && !pack->var() ? pack->body() : nullptr;
}

std::optional<DefVec> isa_constant(World& w, const Def* v) {
    auto n     = VecType(w, v->type()).lanes();
    auto array = isa_from(v);
    if (!array || !n || *n > max_folded) return {};
    DefVec lanes;
    for (uint64_t i = 0; i != *n; ++i) {
        auto lane = *n == 1 ? array : array->isa<Pack>() && !array->var() ? array->as<Pack>()->body() : w.extract(array, i);
        if (!isa_lit(lane)) return {};
        lanes.push_back(lane);
    }
    return lanes;
}

std::optional<std::vector<uint64_t>> numbers(World& w, const Def* v) {
    auto lanes = isa_constant(w, v);
    if (!lanes) return {};
    std::vector<uint64_t> result;
    for (auto lane : *lanes) result.push_back(*value(lane));
    return result;
}

const Def* make_from(World& w, const Def* n, const Def* elem, const Def* array) { return w.apply<from>({n, elem}, array); }

const Def* make_from(World& w, const Def* elem, const DefVec& lanes) {
    return make_from(w, w.lit_nat(lanes.size()), elem, w.tuple(lanes));
}

const Def* make_splat(World& w, const Def* n, const Def* x) { return make_from(w, n, x->type(), w.pack(n, x)); }

} // namespace mim::plug::vec
