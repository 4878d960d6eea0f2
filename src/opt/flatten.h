// SPDX-License-Identifier: MIT
// A tuple in a tuple of arguments becomes parameters of their own, so that other phases see each element: `f ((a, b), c)` becomes
// `f (a, b, c)`. Only for functions all of whose calls are known. Arrays are taken apart if they are short and no index is computed.
// It is a phase, and part of inlining, which builds all these calls again anyway.
#pragma once
#include <functional>
#include <unordered_map>

#include "opt/signature.h"

namespace mim::opt {

/// The functions whose arguments have tuples in them, of those that `is_kept` keeps.
std::unordered_map<const Lam*, Part> flatten_plans(World&, const Snapshot&, const std::function<bool(const Lam*)>& is_kept);

} // namespace mim::opt
