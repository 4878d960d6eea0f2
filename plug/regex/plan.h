// SPDX-License-Identifier: MIT
#pragma once
#include "automaton.h"
#include "regex/annexes.h"

namespace mim::plug::regex {

struct Plan {
    Dfa dfa;
    by scheme;
};
/// It is one of up to sixteen states and fifteen classes, and only whole subjects match.
bool fits_shuffles(const Dfa&);
/// `%regex.run.shuffles` with the tables of an automaton that fits.
const Def* shuffles(World&, const Dfa&);
/// Throws Error if the pattern is not known, or too large.
Plan make_plan(World&, const Def* pattern);

} // namespace mim::plug::regex
