// SPDX-License-Identifier: MIT
#pragma once
#include "regex/annexes.h"
#include "regex/host/automaton.h"
#include "threads.h"

namespace mim::plug::regex {

/// What is fast on the processor that code is made for. All choices that depend on it ask here.
struct Fast {
    bool shuffles;      ///< of sixteen bytes
    bool wide_shuffles; ///< of 64
    bool wide_vectors;  ///< of 32 bytes
};
Fast fast_on(const World&);

/// Whether this subtag of `%regex.by` is one that has no tables of all states.
constexpr bool needs_no_automaton(int scheme) { return scheme == int(by::threads) || scheme == int(by::lazy); }

struct Plan {
    by scheme;
    Dfa dfa;         ///< unless the scheme is threads or lazy
    Threads threads; ///< if it is
    std::string why; ///< it is that scheme, in words
};
/// The minimal automaton of a pattern; none if it would get too large.
std::optional<Dfa> make_automaton(const Pattern&);
/// @name schemes that need their tables made: whether an automaton fits, and the function that runs it. A subject that is sized has no terminator.
///@{
/// It has up to 64 states and 31 classes, or sixteen states and 63 classes, and only whole subjects match.
bool fits_shuffles(const Dfa&, bool sized);
const Def* shuffles(World&, const Dfa&, bool sized);
/// Lanes of a register that holds all states, and the characters of one shuffle.
unsigned lanes_of(const Dfa&);
unsigned shuffle_length(const Dfa&, bool sized);
/// Its rows are not too large, and only whole subjects match.
bool fits_strides(const Dfa&, bool sized);
const Def* strides(World&, const Dfa&, bool sized);
/// Characters of one look-up; 0 if it does not fit.
unsigned stride_length(const Dfa&, bool sized);
/// It accepts texts of one length, up to 62, with few sets of characters at their places.
bool fits_compare(const Dfa&, bool sized);
const Def* compare(World&, const Dfa&, bool sized);
/// It accepts up to 256 texts of up to 31 characters, for which places were found.
bool fits_hash(const Dfa&, bool sized);
const Def* hash(World&, const Dfa&, bool sized);
/// The function that tells whether the next characters are in these sets, up to 62; null if they are of too many kinds.
const Def* chain(World&, Sets);
/// It is of few kinds.
bool fits_leave(const Set&);
/// A run of a set that fits: branches look for its end, and count. Nothing else begins in the state.
std::optional<Dfa::Run> counted_run(const Dfa&, uint32_t state);
/// The sets of a chain of states from one on whose characters branches compare at once, and the state that follows; none
/// if that is not worth it.
Sets compared_chain(const Dfa&, uint32_t state, uint32_t* end = nullptr);
/// The function that finds the first character that is not in a set that fits, as the terminator is not.
const Def* leave(World&, const Set&);
///@}
/// Throws Error if the pattern is not known, or too large. In subjects that are sized, by::table stands for all that read one character after the other.
Plan make_plan(World&, const Def* pattern, bool sized = false);
/// The numbers that costs are computed of (costs.h); nothing if not only whole subjects match.
std::string features_of(World&, const Def* pattern);
/// How many groups with a number are asked for, of which the whole match is none. Throws Error if that is not known, or too much.
uint64_t group_count(const Def* asked);
/// Where the groups up to this number are. Throws Error as make_plan does.
Threads make_group_plan(World&, const Def* pattern, uint64_t groups);

} // namespace mim::plug::regex
