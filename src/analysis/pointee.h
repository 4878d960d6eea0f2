// SPDX-License-Identifier: MIT
// The types behind pointers, and how arrays of arrays lie in memory.
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

/// The type of the elements of an array, or of an array of arrays; the type itself if it is something else.
inline const Def* innermost(const Def* type) {
    while (auto arr = type->isa<Arr>()) type = arr->body();
    return type;
}

/// Arrays of arrays whose lengths do not depend on an index, so that all rows are of one size.
inline bool is_dense(const Def* type) {
    for (auto arr = type->isa<Arr>(); arr; arr = arr->body()->isa<Arr>()) {
        auto row = arr->var() ? arr->body()->isa<Arr>() : nullptr;
        for (; row; row = row->body()->isa<Arr>())
            if (!isa_lit(row->arity())) return false;
    }
    return true;
}

} // namespace mim
