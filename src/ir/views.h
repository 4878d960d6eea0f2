// SPDX-License-Identifier: MIT
// Ways to look at expressions: literals, applications of axioms, their groups and elements. None of them builds a node, but elem().
#pragma once
#include <array>
#include <cstdint>

#include "ir/axiom.h"
#include "ir/def.h"

namespace mim {

/// @name views
///@{
/// n if def is the literal n of type Nat or Idx; false for 2^64.
inline const Lit* isa_lit(const Def* def) {
    auto lit = def->isa<Lit>();
    return lit && !lit->is_2_64() ? lit : nullptr;
}
/// n if type is `Idx n`, else null.
const Def* isa_idx(const Def* type);
/// The axiom at the head of a chain of applications (or the axiom itself), else null.
const Axm* head_axiom(const Def*);
/// The axiom of `def` if it is applied to exactly as many groups as its curry counter says.
const Axm* saturated_axiom(const Def*);
/// A variable, or an element of one.
bool is_variable(const Def*);
/// Number of argument groups `def` is applied to.
size_t num_groups(const Def*);
/// Number of argument groups that a function of this type takes until its result is no function; 0 if that never
/// happens, as with `rec F = Nat → F`.
size_t num_params(const Def* type);
/// The codomain behind all argument groups; a function type if the groups never end.
const Def* last_codom(const Def* type);

/// Whether the axiom takes a continuation, or a function that gets one, in a group of its own, and its applications
/// have a value.
bool calls_continuation(const Axm*);

/// Argument group i of an application of an axiom, counted from the axiom outwards and with the implicit groups: as
/// eval::Machine does.
const Def* group(const Def* app, size_t i);
/// The first N groups, to be taken apart: auto [size, mode, arg] = groups<3>(app).
template<size_t N>
std::array<const Def*, N> groups(const Def* app) {
    std::array<const Def*, N> result;
    for (size_t i = 0; i != N; ++i) result[i] = group(app, i);
    return result;
}
/// Whether it makes a constant of constants: see Axiom::Constant.
inline bool makes_constant(const Def* def) {
    auto axm = saturated_axiom(def);
    return axm && axm->axiom().has(Axiom::Constant);
}

/// Whether nobody has put anything into the value, or into what it is an element of: see Axiom::Unwritten.
inline bool is_unwritten(const Def* def) {
    while (auto extract = def->isa<Extract>()) def = extract->tuple();
    auto axm = saturated_axiom(def);
    return axm && axm->axiom().has(Axiom::Unwritten);
}
/// The subtag of the axiom at the head of an application.
inline uint16_t sub_of(const Def* app) { return head_axiom(app)->axiom().id.sub; }

/// Element i of a tuple, without building an extract where it is at hand.
const Def* elem(World&, const Def* tuple, uint64_t i);
/// The first N elements of a tuple, to be taken apart: auto [a, b] = elems<2>(w, arg).
template<size_t N>
std::array<const Def*, N> elems(World& w, const Def* tuple) {
    std::array<const Def*, N> result;
    for (size_t i = 0; i != N; ++i) result[i] = elem(w, tuple, i);
    return result;
}

/// An application of an axiom to all its groups before it is built: what its normalizer gets.
struct Redex {
    World& w;
    const Def* type;   ///< of the application
    const Def* callee; ///< the axiom and all groups but the last
    const Def* arg;    ///< the last group

    /// As mim::group.
    const Def* group(size_t i) const {
        auto before = num_groups(callee);
        return i == before ? arg : mim::group(callee, i);
    }
    template<size_t N>
    std::array<const Def*, N> groups() const {
        std::array<const Def*, N> result;
        for (size_t i = 0; i != N; ++i) result[i] = group(i);
        return result;
    }
    uint16_t sub() const { return sub_of(callee); }
    /// Element i of the last group.
    const Def* elem(uint64_t i) const { return mim::elem(w, arg, i); }
    template<size_t N>
    std::array<const Def*, N> elems() const {
        return mim::elems<N>(w, arg);
    }
    /// Some part of it is not known yet.
    bool is_unstable() const { return callee->is_unstable() || arg->is_unstable(); }
};

/// `def` seen as the application of an annex: `if (auto app = match<core::wrap>(def)) app.sub() == core::wrap::add`.
/// Matches when as many groups are applied as the axiom's curry counter says (all, if it has none).
template<class Enum>
struct Match_ {
    const Def* def = nullptr;
    explicit operator bool() const { return def; }
    const Def* operator->() const { return def; }
    operator const Def*() const { return def; }
    const Def* callee() const { return def->as<App>()->callee(); }
    const Def* arg() const { return def->as<App>()->arg(); }
    const Def* group(size_t i) const { return mim::group(def, i); }
    Enum sub() const { return Enum(sub_of(def)); }
};
template<class Enum>
Match_<Enum> match(const Def* def) {
    auto axm = saturated_axiom(def);
    if (!axm) return {};
    auto& id = axm->axiom().id;
    return id.plugin == AnnexTraits<Enum>::plugin && id.tag == AnnexTraits<Enum>::tag ? Match_<Enum>{def} : Match_<Enum>{};
}
template<class Enum>
Match_<Enum> match(Enum sub, const Def* def) {
    auto m = match<Enum>(def);
    return m && m.sub() == sub ? m : Match_<Enum>{};
}
///@}

} // namespace mim
