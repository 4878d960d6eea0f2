// SPDX-License-Identifier: MIT
// The invariants of the graph, checked after every phase on everything that the externals reach, types included:
//
// - an external is set, sealed and closed;
// - every node has a type, and the type that its operands give it is equal to it (typing is written down here once more, apart from
//   the code that builds nodes);
// - every mutable is set and sealed; no placeholder and no call that waits for a body is left (Def::is_unstable);
// - immutable nodes are unique: no two are of the same kind over the same operands;
// - no call is left whose filter is `tt`, but for one that reduces to itself: `lam f (n: Nat): Nat = f n` has no other normal form
//   (also in a circle of several such calls).
//
// One pass over the graph with a work list.
#pragma once
#include <memory>
#include <vector>

#include "ir/violation.h"
#include "ir/world.h"

namespace mim {

/// Everything above. It may be run after each of several phases: nodes never change, so a run checks only nodes that no
/// run before it reached. After a run that found violations, it must not be run again.
class GraphVerifier {
public:
    explicit GraphVerifier(World&);
    ~GraphVerifier();
    std::vector<Violation> run();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace mim
