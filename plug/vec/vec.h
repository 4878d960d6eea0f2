// SPDX-License-Identifier: MIT
// What the parts of the plugin `vec` share: views of types and constants, and which scalar operation an element-wise axiom lifts
// (lift.cpp). Normalizers are in normalize*.cpp, meanings in meaning.cpp, emitters in emit/.
#pragma once
#include "driver/plugin.h"
#include "kit/build.h"
#include "kit/match.h"
#include "vec/annexes.h"

namespace mim::plug::vec {

/// `%vec.V (n, T)` taken apart.
struct VecType {
    VecType(World& w, const Def* type)
        : n(operand(w, type, 0))
        , elem(operand(w, type, 1)) {}
    const Def *n, *elem;
    /// The number of lanes; none if it is not known.
    std::optional<uint64_t> lanes() const { return value(n); }
};

/// Constants of more lanes are not written out.
constexpr uint64_t max_folded = 1024;
/// Vectors of more bits have no code.
constexpr uint64_t max_bits = 1 << 16;

/// @name constants: `%vec.from a` with a tuple or a pack a
///@{
/// The array behind `%vec.from`, else null.
const Def* isa_from(const Def* v);
/// x if v is `%vec.from ‹n; x›`, else null.
const Def* isa_splat(const Def* v);
/// The lanes, if all are literals and not too many.
std::optional<DefVec> isa_constant(World&, const Def* v);
/// The value of each lane of a constant.
std::optional<std::vector<uint64_t>> numbers(World&, const Def* v);
const Def* make_from(World&, const Def* n, const Def* elem, const Def* array);
const Def* make_from(World&, const Def* elem, const DefVec& lanes);
const Def* make_splat(World&, const Def* n, const Def* x);
///@}

/// @name element-wise axioms
///@{
/// The scalar axiom that `callee`, a lift applied to all groups but the last, does at each lane, applied to the same groups.
const Def* scalar_callee(World&, const Def* callee);
/// The scalar axiom behind this one.
AnnexId scalar_of(const AnnexId&);
/// The axiom of core that %vec.reduce repeats, and the value that it starts with, for lanes of type `Idx s`; null if that is not known.
const Def* step_callee(World&, reduce, const Def* s);
const Def* neutral(World&, reduce, const Def* s);
/// The axiom of math that %vec.reduce of floats of the format `pe` repeats.
const Def* step_callee(World&, reduce, const Def* pe, const Def* mode);
/// A symbol for an unknown lane of the k-th operand, of type T.
const Def* symbol(World&, size_t k, const Def* T);
/// k, if def is such a symbol.
std::optional<size_t> isa_symbol(const Def*);
///@}

/// The bits of a lane of this type, all patterns of which are values; 0 if that is not so, or not known.
unsigned full_width(World&, const Def* elem);

/// What the descriptor of %vec.V says.
bool layout_of(World&, const Def* type, uint64_t& size, uint64_t& align);
std::string to_bytes(eval::Machine&, const Def* type, const eval::Value&);
eval::Value from_bytes(eval::Machine&, const Def* type, std::string_view);

void register_meanings(PluginBuilder&);

} // namespace mim::plug::vec
