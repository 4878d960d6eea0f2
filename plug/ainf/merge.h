// SPDX-License-Identifier: MIT
// Environments of equal operations as one, for `cse.cpp`.
#pragma once
#include <functional>
#include <optional>

#include "ainf/list/list.h"

namespace mim::plug::ainf {

/// The name by which an operand is known, if several have been found to be equal.
using NameOf = std::function<Operand(const Operand&)>;

/// The environment under which an operation runs only if it ran under one of these; nothing if there is none.
std::optional<Environment> merged(const Environment& left, const Environment& right, const NameOf&);

} // namespace mim::plug::ainf
