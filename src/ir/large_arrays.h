// SPDX-License-Identifier: MIT
// Arrays of literal extents that are too large for registers. A back end may hold a value of such a type by the
// address of its elements, as one of an array of run-time length; in memory the elements lie where the array does.
#pragma once
#include <cstdint>

namespace mim {

class Def;

/// Arrays with more parts are large, all levels counted. LLVM takes values apart into parts, at a cost that is more
/// than linear.
inline constexpr uint64_t max_register_parts = 16;

/// Whether `type` is an array with more than max_register_parts parts, all of whose extents are literals. One that
/// holds arrays of run-time length is none, since its elements have no place in memory.
bool is_large_array(const Def* type);

/// Whether `type` is such an array, or contains one that is not behind a pointer.
bool holds_large_array(const Def* type);

/// A large array that is written down as a tuple or pack of constants (literals, tuples and packs, Axiom::Constant): it
/// is to be part of the program's data.
bool is_constant_array(const Def* value);

} // namespace mim
