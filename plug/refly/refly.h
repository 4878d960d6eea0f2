// SPDX-License-Identifier: MIT
// What the files of this plugin share: terms, and what is registered where.
//
// A term is known when nothing can change what is told about it: its expression is complete and closed. Before that every question
// about it stays unanswered, else it had another answer once a variable is replaced, and equal terms had different ones.
#pragma once
#include <optional>
#include <string>

#include "driver/plugin.h"
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
std::vector<const Def*> open(World&, const Def* e);
/// The expression over these operands, in which what open() has put there is the variable again.
const Def* close(World&, const Def* e, const std::vector<const Def*>& ops);
/// A byte of a message, which is one line: control characters are blanks.
inline char printable(uint64_t byte) { return byte < 0x20 || byte == 0x7f ? ' ' : static_cast<char>(byte); }
/// The text of `n` characters for a message; none if it is not known.
std::optional<std::string> text_of(World&, const Def* n, const Def* text);
inline const Def* make_text(World& w, std::string_view text) {
    std::vector<const Def*> bytes;
    for (unsigned char c : text) bytes.push_back(w.lit_idx(256, c));
    return w.tuple(bytes);
}

/// The argument of the n-th group before the last: group(callee, 0) is the one right before it.
inline const Def* group(const Def* callee, unsigned n = 0) {
    while (n-- > 0) callee = callee->as<App>()->callee();
    return callee->as<App>()->arg();
}
inline uint16_t sub_of(const Def* callee) { return head_axiom(callee)->axiom().id.sub; }

void register_normalizers(PluginBuilder&);
void register_meanings(PluginBuilder&);
/// The phase refly.settle.
void settle(PhaseContext&);
backend::Value emit_check(backend::Emit&, const Def* app);

} // namespace mim::plug::refly
