// SPDX-License-Identifier: MIT
// The types behind pointers, and how arrays of arrays lie in memory.
#pragma once
#include <algorithm>
#include <optional>

#include "ir/large_arrays.h"
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

/// An array, or one of arrays, that is not of a size that is known now. One of types is none: it is not there at run time.
inline bool is_open_array(const Def* type) {
    bool is_open = false;
    for (auto arr = type->isa<Arr>(); arr; arr = type->isa<Arr>()) {
        is_open |= !isa_lit(arr->arity());
        type = arr->body();
    }
    return is_open && !type->isa<Sort>();
}

/// Whether `type` is such an array, or contains one that is not behind a pointer.
inline bool holds_open_array(const Def* type) {
    if (auto arr = type->isa<Arr>()) return is_open_array(arr) || holds_open_array(innermost(arr));
    bool has_parts = type->isa<Sigma>() || type->isa<Union>();
    return has_parts && std::ranges::any_of(type->ops(), holds_open_array);
}

/// See Axiom::Stores.
struct StoreView {
    const Def *token, *ptr, *value;
};

inline std::optional<StoreView> isa_store(World& w, const Def* def) {
    auto axm = saturated_axiom(def);
    if (!axm || !axm->axiom().has(Axiom::Stores)) return {};
    auto [token, ptr, value] = elems<3>(w, def->as<App>()->arg());
    return StoreView{token, ptr, value};
}

/// An array whose values are addresses of elements.
inline bool is_by_address(const Def* type) { return is_open_array(type) || is_large_array(type); }

/// Whether `type` is such an array, or contains one that is not behind a pointer.
inline bool holds_by_address(const Def* type) { return holds_open_array(type) || holds_large_array(type); }

} // namespace mim
