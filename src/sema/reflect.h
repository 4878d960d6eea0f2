// SPDX-License-Identifier: MIT
// Graph → syntax tree. For whole programs this is the printed IR (spec section 2): names by traversal order, or those of the
// source, implicit arguments written with `@`, shared nodes bound by `let` at their innermost binder, so the text grows with the
// nodes and print(reflect(elaborate(parse(text)))) == text for any text made here with the names of the graph. For messages it is
// the short form a user would write.
#pragma once
#include <functional>
#include <string>

#include "ir/world.h"
#include "syntax/ast.h"

namespace mim {

/// The origin of the names in the printed IR (sema/printed_names.h).
enum class NamesOf : uint8_t { Graph, Source };

/// The program reachable from the external functions, with the plugins it uses. New symbols go into the World's table.
ast::Module reflect(World&, NamesOf = NamesOf::Graph);
/// One expression, closed or not, with everything it needs in `where`s.
std::string print_ir(World&, const Def*);

/// `def` for a message: sugar (`I32`, `Bool`, `Cn`, `Fn`), implicit arguments left out, names of the source where known, cut
/// off with `…` beyond a depth and a size. `name_of` says what a variable or an element is called where the message is, or nothing.
using NameOf = std::function<std::string(const Def*)>;
std::string show(World&, const Def*, const NameOf& name_of = {});
/// The same with the bodies of functions and the arms of `match`, and cut off later.
std::string show_in_full(World&, const Def*, const NameOf& name_of);

} // namespace mim
