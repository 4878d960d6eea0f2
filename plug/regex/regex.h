// SPDX-License-Identifier: MIT
// What the files of this plugin share. A pattern goes from the graph (normalize.cpp) to a tree (pattern.cpp), a nondeterministic
// automaton (nfa.cpp), a deterministic one (dfa.cpp), a minimal one (minimize.cpp) and back into the graph (lower.cpp).
#pragma once
#include <optional>
#include <string>

#include "driver/plugin.h"
#include "kit/match.h"
#include "regex/annexes.h"

namespace mim::plug::regex {

struct Dfa;

/// The pattern that a text is; throws Error, which tells where the text is wrong.
const Def* parse_text(World&, std::string text);

MeaningFn mean, mean_prefix, mean_next, mean_count, mean_groups;

/// A function that matches: `Fn [%mem.M, %regex.Text, n pos: I64] → [%mem.M, Bool, I64]`, with a block for each state (branches.cpp).
const Def* branches(World&, const Dfa&);
/// A file that consists of a pattern, as a program.
std::optional<std::string> read_pattern(FrontEndContext&);
/// The axioms of automata whose states are made while they run, and their library (emit.cpp).
void register_lazy(PluginBuilder&);
/// The phase regex.lower.
void lower(PhaseContext&);

} // namespace mim::plug::regex
