// SPDX-License-Identifier: MIT
// The passes of the plugin: each makes a list of a list. ainf.mim says what lists are, list/list.h what passes see of
// them.
#pragma once
#include <optional>
#include <string>

#include "ainf/list/list.h"
#include "driver/ends.h"
#include "driver/plugin.h"
#include "phase/phase.h"

namespace mim::plug::ainf {

/// Which operations are the same, also under different environments: section 4 of the paper, made exact
/// (doc/adr/0031-flat-lists.md).
List share(List);
/// The same where operands of commutative operations have no order, elements of a `for` and parts of a pair are what
/// they were made of, and a choice between equal values is that value.
List simplify(List);
/// Moves operations out of frames whose indices they do not use.
List move_out(List);
/// Removes what the result does not use.
List remove_dead(List);

/// All of them, in the order in which they help each other most.
List improve(List);

/// A line for each binding, and the result.
std::string list_text(World&, const List&);
std::optional<std::string> make_text(BackEndContext&);

/// Applies a pass to each list of the program.
void run_pass(PhaseContext&, List (*pass)(List));
/// Makes operations on tensors of lists.
void lower(PhaseContext&);

/// Registers what the evaluator makes of the axioms.
void add_meanings(PluginBuilder&);
/// Registers code of the check of sizes.
void add_emitters(PluginBuilder&);

} // namespace mim::plug::ainf
