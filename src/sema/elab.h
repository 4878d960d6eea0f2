// SPDX-License-Identifier: MIT
// The elaborator of one file: it owns the classes that elaborate one kind of text each, and picks one for each
// expression. Private to src/sema. Its members are in the order of their dependencies: each class knows some of those
// before it, and all come back to parts of expressions through `Terms`.
#pragma once
#include "sema/array.h"
#include "sema/block.h"
#include "sema/literal.h"
#include "sema/match.h"
#include "sema/operators.h"
#include "sema/tuple.h"
#include "sema/union.h"

namespace mim {

class Elab final : public Terms {
public:
    /// `consumed`: frees what was elaborated of the file; null: nothing.
    Elab(Elaborator::Shared&, const Plans&, Consumed* consumed);

    /// Elaborates a file, and lists its names; `errors`: the number of errors before its declarations were planned.
    const Scope* module(const ast::Module&, size_t errors);
    /// Elaborates an expression behind declarations, in this scope (or none). Null after a report.
    const Def* expression(const ast::Module&, const Scope*);

    Res expr(const ast::Expr*) override;
    Ty type(const ast::Expr*) override;

private:
    Res dispatch(const ast::Expr*);
    Res name(const ast::Name*);
    Res annex(const ast::Annex*);
    Res singleton(const ast::Singleton*);
    Res hole(Span);
    bool report_depth(Span);

    /// @name the state within the file
    ///@{
    Elaborator::Shared& shared_;
    World& world_;
    Names names_;
    Errors errors_;
    Enclosing enclosing_;
    Holes holes_;
    Effects effects_;
    Context context_;
    UnknownNames unknown_;
    DebugNames debug_names_;
    Activations activations_;
    OpenTypes open_types_;
    Expectations expectations_;
    ///@}

    /// @name one kind of text each
    ///@{
    Patterns patterns_;
    Types types_;
    Arrays arrays_;
    Literals literals_;
    Operators operators_;
    Tuples tuples_;
    Applications applications_;
    Functions functions_;
    Constructors constructors_;
    Matches matches_;
    Unions unions_;
    ClosedAnnexes closed_;
    Declarations declarations_;
    Rules rules_;
    Blocks blocks_;
    ///@}

    bool depth_reported_ = false;
};

} // namespace mim
