// SPDX-License-Identifier: MIT
// The representatives of α-equal binders (doc/adr/0003-alpha-table.md). The hash of a binder is that of its shape, in which all variables
// look alike, together with the set of those that are free in it. So the shape of what is nested in it never changes and is computed
// once, however many binders are sealed around it.
#include "ir/impl.h"

namespace mim {

/// A part that is closed stands for itself: it has its representative already.
uint32_t WorldImpl::shape_of(const Def* d) {
    if (is_closed(world, d)) return d->id();
    if (d->node() == Node::Var) return 0x1234567;
    if (auto known = alpha_shapes.find(d)) return *known;
    check_depth();
    auto h = inner_shape(d);
    alpha_shapes.put(d, h);
    return h;
}

/// What may contain itself, or is not complete, is not looked into.
uint32_t WorldImpl::inner_shape(const Def* d) {
    auto h      = static_cast<uint32_t>(d->node()) * 131 + static_cast<uint32_t>(d->num_ops());
    bool opaque = d->is_mut() && (d->node() == Node::Lam || !d->is_set() || recursive.contains(d));
    if (!opaque)
        for (auto op : d->ops()) h = mix(h, shape_of(op));
    return h;
}

const Def* WorldImpl::canonical(Def* binder) {
    if (binder->is_unstable()) return binder; // rebuilt by refresh once its placeholders are known
    add_flags(binder, Def::Sealed);
    auto hash  = mix(inner_shape(binder), free_vars.around(binder)->hash);
    auto range = alpha_table.equal_range(hash);
    for (auto it = range.first; it != range.second; ++it) {
        auto other = it->second;
        if (other == binder) return binder;
        if (other->node() != binder->node() || (other->flags_ & Def::Implicit) != (binder->flags_ & Def::Implicit)) continue;
        if (binder->isa<Pack>() && !equal(world, other->type(), binder->type()))
            continue; // their elements are declared otherwise
        if (equal(world, other, binder)) return other;
    }
    alpha_table.emplace(hash, binder);
    return binder;
}

} // namespace mim
