// SPDX-License-Identifier: MIT
// Function types: `d … d → T`, `Cn d … d`, `Fn d … d → T`. Whether `[…]` is a domain or a tuple type is known from the
// token behind its partner, so nothing is read twice.
#pragma once
#include "syntax/parser_base.h"

namespace mim {

class TypeParser : ParserBase {
public:
    explicit TypeParser(const Grammar& grammar)
        : ParserBase(grammar) {}

    /// A chain of arrows, which is one Pi with all its domains, or any expression that binds more strongly.
    const ast::Expr* arrow();
    /// From the first `|` of a union with labels on.
    const ast::Expr* labels();
    const ast::Expr* cn_type();
    const ast::Expr* fn_type();
    /// A domain that is this type.
    ast::Group type_domain(const ast::Expr*);
    /// `[p]`
    const ast::Pattern* square(uint32_t begin, const ast::Pattern* only);

private:
    ast::Group domain();
    const ast::Expr* codomain();
    ast::Group old_named_domain();
};

} // namespace mim
