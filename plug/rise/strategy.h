// SPDX-License-Identifier: MIT
// Strategies in the text of RISE. They are read as trees, become terms of the plugin `elevate`, and are applied by the phase `rise.strategy`.
//
//     strategy = choice {(";" | ";;") choice}        choice = at {"<+" at}        at = compared {"@" compared}
//     compared = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]                 sum = product {("+" | "-") product}
//     product  = call {("*" | "/" | "%") call}                                       call = atom {"(" strategy {"," strategy} ")"}
//     atom     = x | literal | "text" | "[" [sum {"," sum}] "]" | "(" strategy ")"
#pragma once
#include <functional>
#include <string_view>

#include "driver/ends.h"
#include "driver/plugin.h"
#include "phase/phase.h"
#include "tree.h"

namespace mim::plug::rise {

/// Reads what stands in this place of the text. Null after an error.
const StrategyTree* parse_strategy(Diagnostics&, Program&, std::string_view text, Span);
/// Reads all strategies of a program, the library, whose files are in this folder, and what `rise.strategy` says. False after an error.
bool read_strategies(FrontEndContext&, Program&, const std::string& library);
/// Reads the declarations of the library into the program.
void parse_library(Diagnostics&, Program&, FileId);

/// A size that has this name where the strategy is applied; null if there is none.
using SizeNames = std::function<const Def*(std::string_view)>;
/// The term of the type `%elevate.Strategy`. Null after an error.
const Def* build_strategy(World&, Diagnostics&, const Program&, const StrategyTree&, const SizeNames&);

/// Reports what is wrong with strategies of the file, whatever they are called with.
void check_strategies(World&, Diagnostics&, const Program&);

/// Applies the strategies of programs. `show` gets the program that it makes.
void apply_strategies(PhaseContext&, const std::function<void(const Lam*)>& show);

/// Rules that no pattern says.
void register_strategies(PluginBuilder&);
void register_vector_rules(PluginBuilder&);
/// An operator that is known to be associative and commutative, and a value with which it may begin in each part.
bool is_commutative_with(World&, const Def* f, const Def* e);
/// Functions that are arguments become λs, and operations get the arguments that they lack.
const Def* eta_long(World&, const Def*);

} // namespace mim::plug::rise
