// SPDX-License-Identifier: MIT
// What pointers point to.
#pragma once
#include "ir/questions.h"
#include "ir/views.h"

namespace mim {

/// What values of a pointer type point to: the first type among its arguments. Null for other types.
inline const Def* pointee(const Def* type) {
    auto axm = type->isa<App>() ? head_axiom(type) : nullptr;
    if (!axm || !axm->axiom().has(Axiom::Pointer)) return nullptr;
    auto arg = type->as<App>()->arg();
    if (is_type(arg)) return arg;
    if (auto tuple = arg->isa<Tuple>())
        for (auto op : tuple->ops())
            if (is_type(op)) return op;
    return nullptr;
}

} // namespace mim
