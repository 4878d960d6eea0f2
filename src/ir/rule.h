// SPDX-License-Identifier: MIT
// One rewrite rule (spec, "Rewrite rules").
#pragma once
#include <cstdint>

#include "base/span.h"
#include "base/symbol.h"
#include "ir/def.h"

namespace mim {

/// A rewrite rule: lhs over the variables of `binder` (a λ whose body is unit), head an axiom.
struct RewriteRule {
    Symbol name;
    const Lam* binder = nullptr; ///< its var is the pattern variables; implicits are variables too
    const Def* lhs    = nullptr;
    const Def* when   = nullptr; ///< null: always
    const Def* rhs    = nullptr;
    bool eager        = false; ///< `norm`
    Symbol plugin;             ///< that declares it; empty: the program
    Span span;
    mutable uint64_t fired = 0;
};

} // namespace mim
