// SPDX-License-Identifier: MIT
// What the files of this plugin share: how an application of its axioms looks, and what is registered where.
// Loops become functions in lower.cpp; everything else is one file for each of what is told of an axiom.
#pragma once
#include "affine/annexes.h"
#include "driver/plugin.h"
#include "kit/match.h"

namespace mim::plug::affine {

/// `(start, stop, step)`: the indices start + k·step for each k below trips().
struct Range {
    World& w;
    const Def* range;
    const Def* start() const { return w.extract(range, 0); }
    const Def* stop() const { return w.extract(range, 1); }
    const Def* step() const { return w.extract(range, 2); }
    const Def* trips() const { return w.call<affine::trips>(range); }
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
/// Chooses between the turn k and the end.
const Def* turn_or_end(const Loop&, const Def* k, const Def* turn, const Def* end);
/// `%affine.For` as a function that counts turns (loop.cpp); `in_place`: with the body of f, a λ, instead of a call.
const Def* counted(World&, const Loop&, bool in_place = false);
/// Whether a function refers to a token of a binder around it, itself or by way of other functions.
bool refers_to_token(World&, const Def*);

MeaningFn mean_trips, mean_For, mean_fold;

OpEmitterFn emit_trips;

/// The phase affine.lower.
void lower(PhaseContext&);

} // namespace mim::plug::affine
