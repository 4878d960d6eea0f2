// SPDX-License-Identifier: MIT
#include "sema/debug_names.h"

namespace mim {

void DebugNames::keep(const Lam* lam, size_t first, bool are_params) {
    if (!world_.debug || !lam) return;
    for (auto i = first; i < names_.size(); ++i) {
        auto b = names_[i];
        if (!b.sym || !b.span) continue;
        auto def = names_.force(static_cast<uint32_t>(i));
        if (def && !is_type(def)) world_.notes.add_local(lam, {b.sym, {b.span}, def, are_params, fields(b.view)});
    }
}

/// A view as it outlives the front end.
const FieldNames* DebugNames::fields(const View* view) {
    if (!view || (view->names.empty() && view->elems.empty() && !view->each)) return nullptr;
    auto& known = fields_[view];
    if (known) return known;
    FieldNames result;
    result.names.assign(view->names.begin(), view->names.end());
    for (auto elem : view->elems) result.elems.push_back(fields(elem));
    result.each          = fields(view->each);
    return fields_[view] = world_.notes.add_fields(std::move(result));
}

} // namespace mim
