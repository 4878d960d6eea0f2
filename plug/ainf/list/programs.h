// SPDX-License-Identifier: MIT
// The lists of a program: functions that are visible outside and have one as their body, and those that
// `%ainf.main` or `%ainf.call` calls.
#pragma once
#include <functional>
#include <optional>

#include "ainf/list/list.h"
#include "phase/phase.h"

namespace mim::plug::ainf {

/// The body of the function that the external is, or that it calls; null if there is none.
const Def* body_of_program(World& w, const Lam* external);

/// The list with something else for the variable that its sizes depend on. What has conditions that depend on sizes
/// cannot be substituted into: a condition would be copied.
List renamed(World&, List, const Def* from, const Def* to);

/// Replaces the bodies of all programs by what `make` makes of them; null: they stay. It also gets the place.
void replace_programs(PhaseContext&, const std::function<const Def*(const Def* body, Span)>& make);
/// The same by lists.
void replace_by_lists(PhaseContext&, const std::function<std::optional<List>(const Def* body, Span)>& make);

} // namespace mim::plug::ainf
