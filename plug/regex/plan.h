// SPDX-License-Identifier: MIT
#pragma once
#include "automaton.h"
#include "regex/annexes.h"

namespace mim::plug::regex {

struct Plan {
    Dfa dfa;
    by scheme;
};
/// Throws Error if the pattern is not known, or too large.
Plan make_plan(World&, const Def* pattern);

} // namespace mim::plug::regex
