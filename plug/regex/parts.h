// SPDX-License-Identifier: MIT
// Patterns of the graph, built of their parts.
#pragma once
#include "pattern.h"

namespace mim::plug::regex {

/// One character of a set of bytes.
const Def* chars(World&, const Set&);

/// `conj`, `disj` or `alt` of these patterns.
template<class Enum>
const Def* nary(World& w, const DefVec& ops) {
    return w.apply<Enum>(ops.size(), Defs(ops));
}
/// The same, but of one pattern that pattern.
template<class Enum>
const Def* one_or(World& w, const DefVec& ops) {
    return ops.size() == 1 ? ops[0] : nary<Enum>(w, ops);
}

} // namespace mim::plug::regex
