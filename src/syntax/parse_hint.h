// SPDX-License-Identifier: MIT
// Typical mistakes: what a beginner wrote, known from the token that the parser did not expect. Each becomes a note
// that says what to write instead; none of this decides what is read.
#pragma once
#include <string_view>

#include "diag/diag.h"
#include "syntax/lookahead.h"

namespace mim {

/// After a report that `what` was expected at the next token.
void hint_expected(Diagnostic&, const Cursor&, const Lookahead&, const ParseContext&, std::string_view what);
/// An operator of another language at the start of this text, which has none: what it stands for.
void hint_operator(Diagnostic&, std::string_view text);
/// `a %b`: the broken annex at this place of the text, behind an operand.
void hint_remainder(Diagnostic&, std::string_view text, uint32_t begin, uint32_t end);
/// `-2:%math.F64` wants a float, and `-3I32` has a residue: the number at this place of the text.
void hint_negative(Diagnostic&, std::string_view text, uint32_t begin, uint32_t end);
/// `3U8` and `3L`: the number, with a suffix of another language.
void hint_suffix(Diagnostic&, std::string_view number);

} // namespace mim
