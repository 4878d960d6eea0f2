// SPDX-License-Identifier: MIT
// Results of the elaboration of expressions and types. A result without a def is poison: its error was reported, and
// whatever is built on it is poison without a word.
#pragma once
#include "ir/def.h"
#include "sema/view.h"
#include "syntax/ast.h"

namespace mim {

/// An expression in the graph with the view beside it.
struct Res {
    const Def* def   = nullptr;
    const View* view = nullptr;
    explicit operator bool() const { return def; }
};

/// A type, and the view of its values.
struct Ty {
    const Def* type  = nullptr;
    const View* view = nullptr;
    explicit operator bool() const { return type; }
};

/// An argument of an application, and its value once it is elaborated.
struct Arg {
    const ast::App* ast;
    Res res;
};

/// The expression whose value is that of `e`: behind the declarations of blocks.
const ast::Expr* result_expr(const ast::Expr* e);
/// Its place, where a wrong result is reported.
inline Span result_span(const ast::Expr* e) { return result_expr(e)->span; }

} // namespace mim
