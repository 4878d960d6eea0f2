// SPDX-License-Identifier: MIT
// The names of labels, and the functions that they stand for. `List.cons` always is one; `cons` is where no other type in scope has such a
// label.
#pragma once
#include <span>

#include "sema/pattern.h"
#include "sema/sema_base.h"
#include "sema/terms.h"

namespace mim {

class Constructors : SemaBase {
public:
    Constructors(const Context& context, Terms& terms, Patterns& patterns)
        : SemaBase(context)
        , terms_(terms)
        , patterns_(patterns) {}

    /// The union as it is written, with its labels as the view of its values.
    Res type(const ast::Labels*);

    /// @name declaring
    ///@{
    /// The labels of a declaration, which are not usable before it is complete.
    LabelledType& declare(const ast::Binder& type, const ast::Labels*);
    /// Brings their names into scope; those of an annex become annexes.
    void bind(LabelledType&);
    /// The declaration is complete; poison if it had an error.
    void complete(LabelledType&, Res type);
    ///@}

    /// @name using
    ///@{
    /// The value of a name that is bound to a label, or of the annex that is one. Poison after a report.
    Res use(const Binding&, Span);
    Res use(Constructor&, Span);
    /// The label that a name in front of an arm is, if it is one in scope; null if not. Of several with this name, the innermost one.
    const Constructor* find(Symbol);
    /// The view of the values that it makes.
    static const View* view_of_values(const Constructor&);
    ///@}

private:
    const Def* member(const ast::Label&, const Def* label, const View*& payload);
    const View* behind_label(const View* whole, size_t n);
    const View* view_of(const Constructor&, size_t num_groups);
    void bind_name(Symbol, Constructor&);
    bool is_ambiguous(const Binding&, Span);
    Res make(Constructor&);
    const Def* make_function(std::span<Lam* const> groups, const Def* result);
    Lam* parameter(const Def* type, const Pi*);

    Terms& terms_;
    Patterns& patterns_;
};

} // namespace mim
