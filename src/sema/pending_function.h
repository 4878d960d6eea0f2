// SPDX-License-Identifier: MIT
// A function between its signature and its body. Private to src/sema.
#pragma once
#include <vector>

#include "ir/world.h"
#include "sema/view.h"
#include "syntax/ast.h"

namespace mim {

/// One parameter group of a function under construction.
struct ParamGroup {
    const ast::Pattern* pattern;
    const View* view = nullptr; ///< of the argument
    const Def* dom   = nullptr;
    Lam* lam         = nullptr;
    bool implicit    = false;
    bool cps         = false; ///< the domain is [pattern, return]
    uint32_t root    = 0;     ///< the binding of the whole argument
    bool is_named    = false; ///< the names of its parameters are kept
};

struct PendingFunction {
    const ast::Function* ast       = nullptr;
    const ast::Binder* name        = nullptr;
    Span span                      = {};
    std::vector<ParamGroup> groups = {};
    const View* view               = nullptr;
    bool typed                     = false;   ///< its type is known
    bool ok                        = false;   ///< its body is set
    bool is_folded_known           = false;   ///< its filter is `@_`
    const Def* as_read             = nullptr; ///< its body as it was read, if another one is set

    Lam* lam() const { return groups.front().lam; }
    /// The function of the last group, whose body the text states.
    Lam* innermost() const { return groups.back().lam; }
};

} // namespace mim
