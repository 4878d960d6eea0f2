// SPDX-License-Identifier: MIT
// Nondeterministic automata of patterns, and as tables in the graph.
#pragma once
#include "ir/world.h"
#include "regex/host/threads.h"

namespace mim::plug::regex {

/// Throws Error if it gets too large.
Threads make_threads(const Pattern&, bool ordered);
/// With the places of groups, for a text that is known to match.
Threads make_group_threads(const Pattern&, uint64_t groups);
/// For the leftmost match, wherever it begins; with two places, where it begins and ends.
Threads make_search_threads(const Pattern&, bool with_places);
/// The tables that `%regex.run.threads` and `%regex.run.groups` take: nodes, sets, and what each character is to the position behind it.
/// A terminator is the end of the subject, unless its size says where it ends.
DefVec tables(World&, const Threads&, bool sized = false);
/// Those that `%regex.run.lazy` takes.
DefVec lazy_tables(World&, const Threads&, bool sized = false);

} // namespace mim::plug::regex
