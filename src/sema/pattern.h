// SPDX-License-Identifier: MIT
// Patterns, read twice: for the type they state (each type may mention earlier elements) and for the names they bind
// (`Names::bind`).
#pragma once
#include <functional>

#include "sema/expectation.h"
#include "sema/sema_base.h"
#include "sema/terms.h"

namespace mim {

class SigmaScope;

class Patterns : SemaBase {
public:
    Patterns(const Context& context, Terms& terms, Expectations& expectations)
        : SemaBase(context)
        , terms_(terms)
        , expectations_(expectations) {}

    /// The type that a pattern states; binds nothing.
    Ty type(const ast::Pattern*);
    Ty tuple_type(const ast::TuplePattern*);
    /// The same with an element in front that has no name.
    Ty labelled_type(Ty first, const ast::TuplePattern*);
    /// [first's type, the type that `second` makes with first's names in scope]
    Ty pair_type(const ast::Pattern* first, const std::function<Ty()>& second);

    /// Whether the value has the arity and the types that the pattern states; false after a report. The value is
    /// coerced to these types, and has their views.
    bool check(const ast::Pattern*, Res& value, Span);
    /// The same for one type, which may be null: none is stated.
    bool check_type(const ast::Expr* stated, Res& value, Span);

private:
    void add_elems(SigmaScope&, const ast::TuplePattern*);
    bool check_elems(const ast::TuplePattern*, Res& value, Span);
    Diagnostic& needs_type(const ast::NamePattern*);

    Terms& terms_;
    Expectations& expectations_;
};

} // namespace mim
