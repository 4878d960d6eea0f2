// SPDX-License-Identifier: MIT
// Values where a type is expected. One of implicit type, as `nil`, is applied to placeholders where no function is expected: `List.nil @_`.
#pragma once
#include <unordered_map>

#include "sema/sema_base.h"

namespace mim {

class Expectations : SemaBase {
public:
    explicit Expectations(const Context& context)
        : SemaBase(context) {}

    /// The value, and the elements of a tuple, applied to placeholders where this type has no functions.
    Res fit(const Def* type, Res value, Span place);
    /// The same where any type but one of functions is expected.
    Res instantiate(Res value, Span place);
    /// The value of this text, if it is a `match`, shall be of this type: so shall those of its arms.
    void expect(const ast::Expr*, const Def* type);
    /// The type that this `match` shall have; null if nobody said so.
    const Def* expected(const ast::Match*) const;
    /// Whether these would change it: it is of implicit type, and no function.
    bool lacks_arguments(const Def* value);

private:
    const Def* apply_implicits(const Def* value, Span place);
    const Def* instantiate(const Def* value, Span place);
    Res with_view(const Def* fitting, Res value);
    const Def* fit_tuple(const Def* type, const Def* value, Span place);
    const Def* fit(const Def* type, const Def* value, Span place);
    bool may_be(const Hole*, const Def* type);
    const Pi* implicit_type(const Def* value);
    bool is_value_of(const Pi* type);

    std::unordered_map<const ast::Expr*, const Def*> expected_;
};

} // namespace mim
