// SPDX-License-Identifier: MIT
#pragma once
#include "ir/rewrite.h"

namespace mim::opt {

/// Rewrites what is reachable from the functions visible outside, and keeps those that do not change.
inline void rewrite_externals(Rewriter& rewriter) {
    auto& world    = rewriter.world();
    auto externals = world.externals();
    for (auto& e : externals) {
        auto lam = rewriter.rewrite(e.lam);
        if (lam != e.lam) world.replace_external(e.name, lam->as_mut<Lam>());
    }
}

} // namespace mim::opt
