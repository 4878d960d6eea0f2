// SPDX-License-Identifier: MIT
// Texts that each match has: how it begins, or, where that is rarer, what is in it. They are looked for in front of an
// automaton (runtime/places.h). A text is a row of sets, so that letters without case are no other matter.
#pragma once
#include <optional>

#include "regex/host/tree.h"
#include "regex/runtime/places.h"

namespace mim::plug::regex {

/// Places before which no match begins, if few are expected.
std::optional<Places> find_beginnings(const Pattern&);
/// Places of which each match has one, if few are expected, and fewer than of beginnings.
std::optional<Places> find_inner(const Pattern&);

/// No match has a newline in it, nor depends on whether a newline follows it or the subject ends: it is found in its
/// line, without what follows that.
bool is_within_line(const Pattern&);

} // namespace mim::plug::regex
