// SPDX-License-Identifier: MIT
// Types of tuples and functions. A binder of a type becomes a mutable of the graph only if its variable is used
// (`LazyBinder`).
#pragma once
#include "sema/pattern.h"
#include "sema/sema_base.h"

namespace mim {

class Types : SemaBase {
public:
    Types(const Context& context, Terms& terms, Patterns& patterns)
        : SemaBase(context)
        , terms_(terms)
        , patterns_(patterns) {}

    Res sigma(const ast::Sigma*);
    Res pi(const ast::Pi*);
    /// Cn U, with the view of U as that of its argument.
    Ty return_type(const ast::Expr* codomain);

private:
    Terms& terms_;
    Patterns& patterns_;
};

} // namespace mim
