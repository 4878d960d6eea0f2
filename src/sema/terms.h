// SPDX-License-Identifier: MIT
// The recursion of elaboration: parts of an expression, a pattern or a declaration are expressions again. The classes
// that elaborate one kind of text each know each other only as far as their constructors say; all else goes through
// here. `Elab` implements it.
#pragma once
#include "sema/result.h"

namespace mim {

class Terms {
public:
    /// The expression in the graph; poison after a report.
    virtual Res expr(const ast::Expr*) = 0;
    /// The same for one that must be a type, with the view of its values.
    virtual Ty type(const ast::Expr*) = 0;

protected:
    ~Terms() = default;
};

} // namespace mim
