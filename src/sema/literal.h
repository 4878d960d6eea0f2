// SPDX-License-Identifier: MIT
// Literals and the constants of the language.
#pragma once
#include <string_view>
#include <vector>

#include "sema/sema_base.h"
#include "sema/terms.h"

namespace mim {

class Literals : SemaBase {
public:
    Literals(const Context& context, Terms& terms)
        : SemaBase(context)
        , terms_(terms) {}

    Res constant(const ast::Prim*);
    Res index(const ast::IdxLit*);
    Res ascribed(const ast::AscribedLit*);
    Res floating(const ast::FloatLit*);
    /// A literal without a type, which gets this one from the other operand of `op`.
    Res beside(const ast::Expr*, const Def* type, Symbol op);
    Res string(const ast::StrLit*);
    Res sort(const ast::Sort*);

private:
    Res number(Span, uint64_t value, const Def* type);
    Res floating(Span, Symbol text, const Def* type);
    Res of_plugin(Span, const Def* type, std::string_view text);

    Terms& terms_;
    std::vector<const Def*> constants_; ///< by ast::PrimKind
};

} // namespace mim
