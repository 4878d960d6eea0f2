// SPDX-License-Identifier: MIT
// A value that does not fit what takes it, and which part of it is to blame.
#pragma once
#include "ir/world.h"
#include "syntax/ast.h"

namespace mim {

struct Misfit {
    const Def* dom;
    const Def* declared; ///< the domain before its variables got values, or null
    const Def* value;
    const ast::Expr* place;
};

/// Narrows it down to the element of its tuple that does not fit; false if it is to blame as a whole.
bool narrow(World&, Misfit&);
/// Whether arguments before it tell something of the domain: where it was declared as a parameter, there is more than
/// a placeholder.
bool is_partly_known(const Def* declared, const Def* dom);

} // namespace mim
