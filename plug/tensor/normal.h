// SPDX-License-Identifier: MIT
// Questions that normalizers share.
#pragma once
#include "tensor.h"

namespace mim::plug::tensor {

using Numbers = std::vector<uint64_t>;

/// The elements of an array that has as many as `length` says; none if that is not known.
std::optional<DefVec> elements_of(World&, const Def* length, const Def* array);
/// The same where all of them are literals.
std::optional<Numbers> numbers_of(World&, const Def* length, const Def* array);
/// How many elements an array of these extents has; none if one is not a literal, or if 64 bits are too few.
std::optional<uint64_t> num_elements(Defs extents);
/// Whether all extents are literals and 64 bits are too few for the number of elements.
bool has_too_many(Defs extents);
/// An error of the operation about an array of these extents.
Error too_many(const Axm*, Defs extents);
/// Subscripts of an array with `rank` dimensions.
const Def* subscripts(World&, const Numbers& dims, uint64_t rank);
/// Whether they are 0, 1, 2, …
bool is_identity(const Numbers& dims);
/// Whether the operation of another plugin takes longer than a load.
bool takes_long(const Axiom&);
/// Whether it is as cheap as a load: it calls nothing, and consists of few operations.
bool is_cheap(const Def*, size_t& budget);

/// The loops of these extents around the function's body as one `map_reduce`; null if it is none. The function takes
/// an index or, if there are `rows`, these.
const Def* merge_nest(World&, const DefVec& around, const Lam*, const Def* rows);
/// The groups of a `map_reduce`.
struct Groups {
    const Def *implicits, *subscripts, *functions, *inputs;
};
/// The `map_reduce` over what its inputs compute their elements from, if each of these is read once and costs no more
/// than a load; else null.
const Def* merge_inputs(World&, const Groups&);

} // namespace mim::plug::tensor
