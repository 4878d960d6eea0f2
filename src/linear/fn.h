// SPDX-License-Identifier: MIT
// The summary of a λ: what a call of it evaluates, captures and calls, and where it leaves. The parts of the check of
// tokens fill it one after the other.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/def_set.h"
#include "linear/nodes.h"

namespace mim::linear {

/// Where control goes at the end of a λ, or if a call in direct style leaves.
struct End {
    std::vector<const Lam*> callees, returns;
    bool knows_callees = true;      ///< these are all that may be called
    bool by_axiom      = false;     ///< in direct style: an axiom calls what it got
    const App* holder  = nullptr;   ///< the call, if it gets functions inside of aggregates
    std::vector<const Lam*> passed; ///< as values
    std::vector<const Def*> passed_others;
    std::vector<const Lam*> last;        ///< what the call returns to, if it does
    std::vector<const Def*> params;      ///< continuations that are called, or returned to; null: from somewhere else
    std::vector<const Def*> last_params; ///< as `last`, if that is a parameter
    std::vector<const Def*> others;      ///< functions that are not known and come back through what they get
};

/// A λ and what a call of it does with tokens of outer binders.
struct Fn {
    const Lam* lam;
    OrderedSet<Key, KeyHash> keys;    ///< what is evaluated in a call of it
    std::vector<const Def*> captures; ///< tokens of outer binders, and values made from effects there
    DefSet capture_set;
    DefSet touched;           ///< tuples of tokens of outer binders in which a call of it replaces an element
    DefSet own;               ///< effects of outer binders that only happen in a call of it
    uint32_t first_own = ~0u; ///< the least id of these
    mutable std::unordered_map<const Def*, bool> of_around; ///< nodes on a cycle with it: see Summaries::is_of_around
    std::vector<Fn*> callers;
    std::vector<const Def*> binders; ///< its variable, and those of packs in it
    struct Use {
        const Lam* lam;
        const Def* at;
    };
    std::vector<Use> escaping;         ///< λs used as a value
    std::vector<Use> results;          ///< λs that it returns
    std::vector<Use> jumps;            ///< λs that calls get for a while
    std::vector<const Def*> kept;      ///< functions that got a token and are used as a value: see escape.h
    std::vector<const Def*> end_nodes; ///< the calls and matches that it ends in
    std::vector<End> ends;
    std::vector<const Def*> direct_calls; ///< calls in direct style that it makes, see direct.h
    /// The parameters, its own and those around it, through which it may leave, in a fixed order; null for something
    /// else.
    std::vector<const Def*> exits;
    DefSet exit_set;
    mutable const Def* last_param = nullptr; ///< once somebody has asked for it
    uint32_t index                = 0;       ///< among all
    bool leaves_around            = false;   ///< not only through its own
    bool calls_last               = false;   ///< it calls its last parameter and goes on: that is no way out
};

/// The last parameter of the λ, or its only one.
inline const Def* last_param(World& world, const Fn& f) {
    if (!f.last_param) f.last_param = last_param(world, f.lam);
    return f.last_param;
}

} // namespace mim::linear
