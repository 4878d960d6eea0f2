// SPDX-License-Identifier: MIT
// Types of lists, and sizes in them, which are polynomials over variables of the program.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/polynomial.h"
#include "ir/world.h"

namespace mim::plug::ainf {

const Def* float_type(World&);
bool is_float(World&, const Def* type);
const Def* float_literal(World&, double);
double float_value(const Lit*);

const Def* array_type(World&, const Def* size, const Def* elem);
const Def* pair_type(World&, const Def* first, const Def* second);
/// Size and type of the elements.
std::optional<std::pair<const Def*, const Def*>> isa_array(World&, const Def* type);
std::optional<std::pair<const Def*, const Def*>> isa_pair(World&, const Def* type);

/// The variables of a size are nodes of the graph: their numbers are those of the nodes.
using SizeVars = std::map<Polynomial::Var, const Def*>;
/// Equal sizes are one node.
const Def* make_size(World&, const Polynomial&, const SizeVars&);
Polynomial read_size(World&, const Def* size);

/// The number without a variable is last.
std::string polynomial_text(const Polynomial&, const std::function<std::string(Polynomial::Var)>& name);
/// As a list shows it: `(n => (Float × Nat))`, and `n+m-1`.
std::string type_text(World&, const Def* type);
std::string size_text(World&, const Def* size);

} // namespace mim::plug::ainf
