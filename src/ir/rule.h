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
    /// It fires only where somebody asks for it by its name. So does one with parameters: the first so many variables, whose values are given.
    bool on_request     = false;
    uint32_t num_params = 0;
    Symbol plugin; ///< that declares it; empty: the program
    Span span;
    mutable uint64_t fired = 0;
};

/// Why a rule does not apply to an expression.
struct Mismatch {
    enum Kind : uint8_t {
        Pattern,   ///< `expected`, a part of the left side, does not match `found`
        Size,      ///< no numbers make `expected`, a part of the left side, equal to `found`
        Type,      ///< `found`, which a variable stands for, is not of the type `expected`
        Condition, ///< `expected`, with what is put in for its variables, is not known to hold
        Unknown,   ///< nothing tells which value the variable `expected` has
        Same,      ///< the result is the expression itself
    } kind              = Pattern;
    const Def* expected = nullptr;
    const Def* found    = nullptr;
};

} // namespace mim
