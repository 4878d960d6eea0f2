// SPDX-License-Identifier: MIT
// The places of values in memory. Values lie in *leaves*: a scalar outside of arrays is one, and so is each array of any
// rank whose elements are scalars or pairs of scalars. An array of pairs that have arrays is as a pair of arrays.
#pragma once
#include <vector>

#include "ir/world.h"

namespace mim::plug::ainf {

struct Leaf {
    DefVec dims;
    const Def* cell; ///< a type of lists
};

/// Numbers of lists as numbers of the host: a `Nat` is an I64, an index itself. In words, an index is an I64 as well.
enum class Form : uint8_t { Inside, Words };

bool has_array(World&, const Def* type);
/// The leaves of values of a type. A function is one of its own.
std::vector<Leaf> leaves(World&, const Def* type);
/// Those of elements of an array, where a pair of scalars is one leaf.
std::vector<Leaf> leaves_of_element(World&, const Def* type);
/// An array that is known to be empty.
bool has_no_elements(const Leaf&);
const Def* cell_type(World&, const Def* type, Form);
const Def* leaf_type(World&, const Leaf&, Form);
/// The leaves of a value together.
const Def* memory_type(World&, const Def* type);

} // namespace mim::plug::ainf
