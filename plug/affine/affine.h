// SPDX-License-Identifier: MIT
// What the files of this plugin share: how an application of its axioms looks, and what is registered where.
// Loops become functions in lower.cpp; everything else is one file for each of what is told of an axiom.
#pragma once
#include "affine/annexes.h"
#include "driver/plugin.h"

namespace mim::plug::affine {

/// The argument of the n-th group before the last: group(callee, 0) is the one right before it.
inline const Def* group(const Def* callee, unsigned n = 0) {
    while (n-- > 0) callee = callee->as<App>()->callee();
    return callee->as<App>()->arg();
}

/// `(start, stop, step)`: the indices start + k·step for each k below trips().
struct Range {
    World& w;
    const Def* range;
    const Def* start() const { return w.extract(range, 0); }
    const Def* stop() const { return w.extract(range, 1); }
    const Def* step() const { return w.extract(range, 2); }
    const Def* trips() const { return w.app(w.annex(affine::trips(0)), range); }
    const Def* index(const Def* k) const;
    /// The step is known, and known to be no 0: nothing about the loop is undefined.
    bool steps() const;
};

/// A loop with all its arguments.
struct Loop {
    const Def* type; ///< of the accumulator
    Range range;
    const Def *f, *acc, *exit; ///< exit: null of a fold
};

const Def* next_index(World&, const Def* k);
/// `%affine.For` as a function that counts turns (loop.cpp); `in_place`: with the body of f, a λ, instead of a call.
const Def* counted(World&, const Loop&, bool in_place = false);
/// Whether a function refers to a token of a binder around it, itself or by way of other functions.
bool refers_to_token(World&, const Def*);

const Def* normalize_trips(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_For(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_fold(World&, const Def* type, const Def* callee, const Def* arg);

eval::Value mean_trips(eval::Machine&, const Def* app);
eval::Value mean_For(eval::Machine&, const Def* app);
eval::Value mean_fold(eval::Machine&, const Def* app);

backend::Value emit_trips(backend::Emit&, const Def* app);

/// The phase affine.lower.
void lower(PhaseContext&);

} // namespace mim::plug::affine
