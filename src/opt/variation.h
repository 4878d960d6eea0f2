// SPDX-License-Identifier: MIT
// Parameters that take ever new functions: a call in a recursion passes a function that depends on a variable of that recursion, as in
//
//     con walk (n, k) = … walk (n - 1, more) … where con more x = … k … n …
//
// Copies for such functions would have no end, since each copy passes a function of its own. A parameter that takes the same functions in
// all rounds has "bounded static variation" (Glenstrup and Jones, "Termination Analysis and Specialization-Point Insertion in Offline
// Partial Evaluation"). Functions that are called by way of unknown functions are not followed.
#pragma once
#include <unordered_map>
#include <vector>

#include "analysis/snapshot.h"

namespace mim::opt {

/// Facts of the program as it is before a phase. Linear in the program, and only if some function in a recursion is passed at all.
class Variation {
public:
    Variation(World& world, const Snapshot& program)
        : world_(world)
        , program_(program) {}

    /// Part `i` (opt/signature.h) of the argument of `lam` takes ever new functions.
    bool is_unbounded(const Lam* lam, size_t i);

private:
    std::vector<bool> find(const Lam*);
    bool grows(const Lam* callee, const Def* arg);
    bool is_in_recursion(const Lam* callee, const Def* binder);
    void find_components();

    World& world_;
    const Snapshot& program_;
    std::unordered_map<const Lam*, std::vector<bool>> unbounded_; ///< by part
    std::vector<uint32_t> components_;                            ///< by id; empty until they are asked for
};

} // namespace mim::opt
