// SPDX-License-Identifier: MIT
// How a pattern is matched or searched for, and why, in words: the arguments of Diag::pattern_way, which are the way, the size of its automata, and the
// reason.
#pragma once
#include "diag/diag.h"
#include "search.h"

namespace mim::plug::regex {

DiagArgs explain(World&, const Plan&);
DiagArgs explain(const Searcher&);
/// Where matches are counted, which may be simpler.
DiagArgs explain_count(const World&, const Searcher&);

} // namespace mim::plug::regex
