// SPDX-License-Identifier: MIT
// The passes of the plugin: each makes a list of a list. ainf.mim says what lists are, list/list.h what passes see of
// them.
#pragma once
#include <optional>
#include <string>

#include "ainf/list/list.h"
#include "backend/emit.h"
#include "driver/ends.h"
#include "eval/machine.h"
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

/// @name what the evaluator makes of the axioms
///@{
eval::Value mean_nat(eval::Machine&, const Def*);
eval::Value mean_flt(eval::Machine&, const Def*);
eval::Value mean_unary(eval::Machine&, const Def*);
eval::Value mean_compare(eval::Machine&, const Def*);
eval::Value mean_plus(eval::Machine&, const Def*);
eval::Value mean_index(eval::Machine&, const Def*);
eval::Value mean_val(eval::Machine&, const Def*);
eval::Value mean_real(eval::Machine&, const Def*);
eval::Value mean_pair(eval::Machine&, const Def*);
eval::Value mean_fst(eval::Machine&, const Def*);
eval::Value mean_snd(eval::Machine&, const Def*);
eval::Value mean_tab(eval::Machine&, const Def*);
eval::Value mean_get(eval::Machine&, const Def*);
eval::Value mean_sum(eval::Machine&, const Def*);
eval::Value mean_fold(eval::Machine&, const Def*);
eval::Value mean_scan(eval::Machine&, const Def*);
eval::Value mean_app(eval::Machine&, const Def*);
eval::Value mean_ite(eval::Machine&, const Def*);
eval::Value mean_frame(eval::Machine&, const Def*);
eval::Value mean_turn(eval::Machine&, const Def*);
eval::Value mean_bind(eval::Machine&, const Def*);
eval::Value mean_list(eval::Machine&, const Def*);
eval::Value mean_main(eval::Machine&, const Def*);
eval::Value mean_call(eval::Machine&, const Def*);
///@}

/// @name code of what reads arguments and prints results
///@{
backend::Value emit_open(backend::Emit&, const Def*);
backend::Value emit_size(backend::Emit&, const Def*);
backend::Value emit_leaf(backend::Emit&, const Def*);
backend::Value emit_close(backend::Emit&, const Def*);
backend::Value emit_fits(backend::Emit&, const Def*);
///@}

} // namespace mim::plug::ainf
