// SPDX-License-Identifier: MIT
#include "sema/sigma_scope.h"

namespace mim {

SigmaScope::SigmaScope(Errors& errors, Views& views, size_t num_elems)
    : world_(errors.world())
    , names_(errors.names())
    , errors_(errors)
    , views_(views) {
    types_.reserve(num_elems);
    binder_.num_ops = num_elems;
    binder_.ops     = &types_;
    root_           = names_.push_binder(&binder_);
}

void SigmaScope::add(Ty t, Symbol name) {
    binder_.poison |= !t;
    if (binder_.mut && !binder_.poison) world_.set(static_cast<Sigma*>(binder_.mut), types_.size(), t.type);
    types_.push_back(t.type);
    fields_.push_back(name);
    elems_.push_back(t.view);
    has_view_ |= name || t.view;
}

Source SigmaScope::elem() const {
    return {root_, static_cast<uint32_t>(types_.size() - 1), static_cast<uint32_t>(binder_.num_ops)};
}

Ty SigmaScope::finish(Span span) {
    if (binder_.poison) return {};
    auto build = [&]() -> const Def* {
        if (binder_.mut) return world_.seal(static_cast<Sigma*>(binder_.mut));
        return world_.sigma(types_);
    };
    auto type = errors_.at(span, build);
    if (types_.size() == 1) return {type, elems_[0]};
    return {type, has_view_ ? views_.tuple(fields_, elems_) : nullptr};
}

} // namespace mim
