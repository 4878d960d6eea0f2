// SPDX-License-Identifier: MIT
// Types that a program states, behind a pass that represents values in another way.
#pragma once
#include <functional>
#include <unordered_map>
#include <vector>

#include "tree.h"

namespace mim::plug::mil {

/// Changes all types that a program states. Constructors of types that are gone keep theirs. A field may become several
/// ones, if there are `parts` of types.
void change_types(Source&, Program&, const std::function<Type*(Type*)>& type, const std::vector<bool>& is_gone,
                  const std::function<std::vector<Type*>(Type*)>& parts = {});
/// The type as text has it; its variables have these names.
TypeExpr* express(Source&, Type*, const std::unordered_map<Type*, std::string>& names);

} // namespace mim::plug::mil
