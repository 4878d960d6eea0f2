// SPDX-License-Identifier: MIT
// How a pattern is matched or searched for, and why, in words.
#pragma once
#include "regex/diagnostics.h"
#include "search.h"

namespace mim::plug::regex {

/// The arguments of diag::way.
struct Reasons {
    std::string way;
    std::string size; ///< of the automata
    std::string why;
};

Reasons explain(World&, const Plan&);
Reasons explain(const Searcher&);
/// Where matches are counted, which may be simpler.
Reasons explain_count(const World&, const Searcher&);

} // namespace mim::plug::regex
