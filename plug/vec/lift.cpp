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
};

} // namespace

AnnexId scalar_of(const AnnexId& id) {
    for (auto& l : lifts)
        if (l.tag == id.tag && l.first <= id.sub && id.sub < l.end)
            return {l.scalar.plugin, l.scalar.tag, static_cast<uint16_t>(id.sub - l.first)};
    return {};
}

const Def* scalar_callee(World& w, const Def* callee) {
    std::vector<const Def*> groups;
    for (; callee->isa<App>(); callee = callee->as<App>()->callee()) groups.insert(groups.begin(), callee->as<App>()->arg());
    std::vector<const Def*> rest;
    auto n = w.lit_arity(groups[0]->type());
    for (int64_t i = 1; i < n; ++i) rest.push_back(w.extract(groups[0], i));
    auto scalar = w.app(w.annex(scalar_of(callee->as<Axm>()->axiom().id)), w.tuple(rest));
    for (size_t i = 1; i != groups.size(); ++i) scalar = w.app(scalar, groups[i]);
    return scalar;
}

const Def* step_callee(World& w, reduce op, const Def* s) {
    auto wraps = [&](core::wrap o) { return w.app(w.app(w.annex(o), s), w.lit_nat(0)); };
    auto bits  = [&](core::bit2 o) { return w.app(w.app(w.annex(o), s), w.lit_nat(0)); };
    auto ends  = [&](core::extrema o) { return w.app(w.annex(o), s); };
    switch (op) {
        case reduce::add: return wraps(core::wrap::add);
        case reduce::mul: return wraps(core::wrap::mul);
        case reduce::and_: return bits(core::bit2::and_);
        case reduce::or_: return bits(core::bit2::or_);
        case reduce::xor_: return bits(core::bit2::xor_);
        case reduce::umin: return ends(core::extrema::umin);
        case reduce::umax: return ends(core::extrema::umax);
        case reduce::smin: return ends(core::extrema::smin);
        case reduce::smax: return ends(core::extrema::smax);
        default: return nullptr;
    }
}

const Def* step_callee(World& w, reduce op, const Def* pe, const Def* mode) {
    auto scalar = [&]() -> const Def* {
        switch (op) {
            case reduce::fadd: return w.annex(math::arith::add);
            case reduce::fmul: return w.annex(math::arith::mul);
            case reduce::fmin: return w.annex(math::extrema::fmin);
            default: return w.annex(math::extrema::fmax);
        }
    }();
    return w.app(w.app(scalar, pe), mode);
}

const Def* neutral(World& w, reduce op, const Def* s) {
    auto lit = s->isa<Lit>();
    if (!lit || (!lit->is_2_64() && lit->value() == 0)) return nullptr;
    auto last    = lit->value() - 1; // 2^64 - 1 for 2^64, which counts as 0
    auto most    = last / 2;         // the greatest number without sign
    uint64_t all = last;
    for (unsigned k = 1; k != 64; k *= 2) all |= all >> k; // all bits that numbers have
    auto value = [&](uint64_t v) { return w.lit_idx(s, v); };
    switch (op) {
        case reduce::add:
        case reduce::or_:
        case reduce::xor_:
        case reduce::umax: return value(0);
        case reduce::mul: return value(last == 0 ? 0 : 1);
        case reduce::and_: return all == last ? value(all) : nullptr; // there is none
        case reduce::umin: return value(last);
        case reduce::smin: return value(most);
        case reduce::smax: return value(last == 0 ? 0 : most + 1);
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

std::optional<std::vector<const Def*>> isa_constant(World& w, const Def* v) {
    auto n     = VecType(w, v->type()).lanes();
    auto array = isa_from(v);
    if (!array || !n || *n > max_folded) return {};
    std::vector<const Def*> lanes;
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
    for (auto lane : *lanes) result.push_back(isa_lit(lane)->value());
    return result;
}

const Def* make_from(World& w, const Def* n, const Def* elem, const Def* array) {
    return w.app(w.app(w.annex(from(0)), {n, elem}), array);
}

const Def* make_from(World& w, const Def* elem, const std::vector<const Def*>& lanes) {
    return make_from(w, w.lit_nat(lanes.size()), elem, w.tuple(lanes));
}

const Def* make_splat(World& w, const Def* n, const Def* x) { return make_from(w, n, x->type(), w.pack(n, x)); }

} // namespace mim::plug::vec
