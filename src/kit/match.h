// SPDX-License-Identifier: MIT
// The questions that normalizers, emitters and phases ask of an application of an axiom. Its groups are counted from
// the axiom outwards, the implicit ones too, by `group` and `groups` of ir/world.h, by Redex in a normalizer, and by
// eval::Machine in a meaning:
//
//     %core.wrap.add @s m (a, b)         auto [s, m, arg] = groups<3>(app);      auto [a, b] = elems<2>(w, arg);
#pragma once
#include <algorithm>
#include <optional>

#include "analysis/snapshot.h"
#include "ir/order.h"

namespace mim {

/// The last group of an application.
inline const Def* arg_of(const Def* app) { return app->as<App>()->arg(); }
/// An application without its last group.
inline const Def* callee_of(const Def* app) { return app->as<App>()->callee(); }
/// Element i of the last group.
inline const Def* operand(World& w, const Def* app, uint64_t i) { return elem(w, arg_of(app), i); }

/// The number that a literal of `Nat`, `Idx n` or a type of a plugin is; none for 2^64.
inline std::optional<uint64_t> value(const Def* def) {
    auto lit = isa_lit(def);
    return lit ? std::optional(lit->value()) : std::nullopt;
}
/// The same of element i of a tuple.
inline std::optional<uint64_t> value(World& w, const Def* tuple, uint64_t i) { return value(elem(w, tuple, i)); }
inline bool is_value(const Def* def, uint64_t number) { return value(def) == number; }

/// The function if its body is set and will not change any more, else null.
inline const Lam* isa_known(const Def* def) {
    auto lam = def->isa<Lam>();
    return lam && !lam->is_waiting() ? lam : nullptr;
}

/// Operands of commutative operations are in this order (ir/order.h): literals first, then by shape.
inline bool in_order(const Def* a, const Def* b) { return compare(a, b) <= 0; }

/// The axiom is the one with this tag, whatever its subtag.
template<class Enum>
bool is_tag(const Axiom& axiom) {
    return axiom.id.plugin == AnnexTraits<Enum>::plugin && axiom.id.tag == AnnexTraits<Enum>::tag;
}
/// The axiom is of the plugin that this one is of.
template<class Enum>
bool is_of_plugin(const Axiom& axiom) {
    return axiom.id.plugin == AnnexTraits<Enum>::plugin;
}
/// Some of these axioms occur in the program: a phase that looks for them has something to do.
template<class... Enums>
bool occurs(const Snapshot& program) {
    return std::ranges::any_of(program.axioms(), [](const Axiom* axiom) { return (is_tag<Enums>(*axiom) || ...); });
}
/// Some axiom of the plugin that this one is of occurs.
template<class Enum>
bool plugin_occurs(const Snapshot& program) {
    return std::ranges::any_of(program.axioms(), [](const Axiom* axiom) { return is_of_plugin<Enum>(*axiom); });
}

/// `inner` undoes `outer`: outer (inner x) ▷ x. Null if the argument is no application of `Inner`.
template<class Inner>
const Def* cancel(const Redex& outer) {
    auto inner = match<Inner>(outer.arg);
    return inner ? inner.arg() : nullptr;
}

} // namespace mim
