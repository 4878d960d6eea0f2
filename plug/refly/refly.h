// SPDX-License-Identifier: MIT
// What the files of this plugin share: terms, and what is registered where.
//
// A term is known when nothing can change what is told about it: its expression is complete and closed. Before that every question
// about it stays unanswered, else it had another answer once a variable is replaced, and equal terms had different ones.
#pragma once
#include <optional>
#include <string>

#include "driver/plugin.h"
#include "kit/build.h"
#include "kit/match.h"
#include "refly/annexes.h"

namespace mim::plug::refly {

/// The expression of a known term, else null.
const Def* known_term(World&, const Def* term);
/// The expression as a term; throws for what is beyond types of types.
const Def* make_term(World&, const Def* e);
/// What stands for a variable of a binder that was opened.
bool is_name(const Def* e);
/// A number that no name in `e` has.
uint64_t fresh_name(World&, const Def* e);
/// The operands of an expression; those of a binder with a fresh name for its variable. A name has none.
DefVec open(World&, const Def* e);
/// The expression over these operands, in which what open() has put there is the variable again.
const Def* close(World&, const Def* e, const DefVec& ops);
/// A byte of a message, which is one line: control characters are blanks.
inline char printable(uint64_t byte) { return byte < 0x20 || byte == 0x7f ? ' ' : static_cast<char>(byte); }
/// The text of `n` characters for a message; none if it is not known.
std::optional<std::string> text_of(World&, const Def* n, const Def* text);
inline const Def* make_text(World& w, std::string_view text) {
    return w.tuple(map_defs(text, [&](unsigned char c) { return w.lit_idx(256, c); }));
}

void register_meanings(PluginBuilder&);
/// The phase refly.settle.
void settle(PhaseContext&);
OpEmitterFn emit_check;

} // namespace mim::plug::refly
