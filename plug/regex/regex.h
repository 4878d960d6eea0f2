// SPDX-License-Identifier: MIT
// What the files of this plugin share. A pattern goes from the graph (normalize.cpp) to a tree (pattern.cpp), a nondeterministic
// automaton (nfa.cpp), a deterministic one (dfa.cpp), a minimal one (minimize.cpp) and back into the graph (lower.cpp).
#pragma once
#include <optional>
#include <string>

#include "driver/plugin.h"
#include "regex/annexes.h"

namespace mim::plug::regex {

struct Dfa;

/// The argument of the last group.
inline const Def* group(const Def* callee) { return callee->as<App>()->arg(); }

/// Whether an axiom is the one with this tag, whatever its subtag.
template<class Enum>
bool is_tag(const Axiom& axiom) {
    return axiom.id.plugin == AnnexTraits<Enum>::plugin && axiom.id.tag == AnnexTraits<Enum>::tag;
}

const Def* normalize_conj(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_disj(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_range(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_not(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_quant(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_repeat(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_alt(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_lazy(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_by(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_nocase(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_lines(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_utf8(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_parse(World&, const Def* type, const Def* callee, const Def* arg);
const Def* normalize_shape(World&, const Def* type, const Def* callee, const Def* arg);

/// The pattern that a text is; throws Error, which tells where the text is wrong.
const Def* parse_text(World&, std::string text);

eval::Value mean(eval::Machine&, const Def* app);
eval::Value mean_prefix(eval::Machine&, const Def* app);
eval::Value mean_next(eval::Machine&, const Def* app);
eval::Value mean_count(eval::Machine&, const Def* app);
eval::Value mean_groups(eval::Machine&, const Def* app);

/// A function that matches: `Fn [%mem.M, %regex.Text, n pos: I64] → [%mem.M, Bool, I64]`, with a block for each state (branches.cpp).
const Def* branches(World&, const Dfa&);
/// A file that consists of a pattern, as a program.
std::optional<std::string> read_pattern(FrontEndContext&);
/// The phase regex.lower.
void lower(PhaseContext&);

} // namespace mim::plug::regex
