// SPDX-License-Identifier: MIT
#include "syntax/parse_type.h"

#include "syntax/parse_expr.h"
#include "syntax/parse_pattern.h"

namespace mim {

using namespace ast;

Group TypeParser::domain() {
    bool implicit = accept(Tok::Dot) || at(Tok::LBrace);
    return {g_.patterns.keep_brackets(true), implicit};
}

Group TypeParser::type_domain(const Expr* type) {
    return {ast::make<TypePattern>(tree_.module().arena, type->span, type), false};
}

/// 0.1: `Π x: T → U`
Group TypeParser::old_named_domain() {
    uint32_t first = begin();
    Binder x       = g_.patterns.name();
    next();
    auto* type       = g_.exprs.inj();
    const Pattern* p = make<NamePattern>(first, x, type);
    return {square(first, p), false};
}

/// `[p]`
const Pattern* TypeParser::square(uint32_t first, const Pattern* only) {
    return make<TuplePattern>(first, true, tree_.list_of(only), static_cast<const Expr*>(nullptr));
}

/// Behind an arrow, also declarations and a type.
const Expr* TypeParser::codomain() { return g_.exprs.starts_statement() ? g_.exprs.expr() : arrow(); }

/// `| nil | cons [T, U] | some T`. A label without a payload is followed by the next label, or by the end of the declaration.
const Expr* TypeParser::labels() {
    uint32_t first = begin();
    std::vector<Label> all;
    while (accept(Tok::Bar)) {
        Binder name         = g_.patterns.name();
        bool has_payload    = look_.starts_atom() || look_.at_domain() || at(Tok::K_Cn) || at(Tok::K_Fn);
        const Expr* payload = has_payload ? arrow() : nullptr;
        if (name.name) all.push_back({name, payload});
    }
    return all.empty() ? error() : make<Labels>(first, list(all));
}

const Expr* TypeParser::arrow() {
    front::Nesting::Level nest(errors_.nesting());
    if (errors_.too_deep()) return error();
    uint32_t first = begin();
    bool old       = accept(Tok::Pi);
    bool arrow     = true; // the arrow between two domains in brackets may be left out, but not the last one
    std::vector<Group> domains;
    while (true) {
        if (old && at(Tok::Ident) && tok(1) == Tok::Colon) {
            domains.push_back(old_named_domain());
        } else if (look_.at_domain()) {
            domains.push_back(domain());
        } else {
            if (!arrow) expected(describe(Tok::Arrow));
            auto* type = at(Tok::K_Cn) ? cn_type() : at(Tok::K_Fn) ? fn_type() : g_.exprs.inj();
            if (!at(Tok::Arrow)) return domains.empty() ? type : make<Pi>(first, PiForm::Pi, list(domains), type);
            domains.push_back(type_domain(type));
        }
        arrow = accept(Tok::Arrow);
        if (arrow && g_.exprs.starts_statement()) return make<Pi>(first, PiForm::Pi, list(domains), g_.exprs.expr());
    }
}

/// `Cn [A] [B]`, or `Cn` before any type, which then reaches as far as it can: `Cn A → B` is `Cn (A → B)`.
const Expr* TypeParser::cn_type() {
    uint32_t first = begin();
    next();
    std::vector<Group> domains;
    do {
        Tok after    = at(Tok::LSquare) ? cursor_.after_bracket() : Tok::Error;
        bool operand = after == Tok::Hash || after == Tok::Union || after == Tok::K_inj || after == Tok::Arrow;
        if (operand || !look_.at_group()) {
            uint32_t inner = begin();
            Group g        = type_domain(arrow());
            if (!domains.empty()) // in square brackets, as only those may follow another domain
                g.pattern = square(inner, g.pattern);
            domains.push_back(g);
            break;
        }
        domains.push_back(domain());
    } while (look_.at_group());
    return make<Pi>(first, PiForm::Cn, list(domains), static_cast<const Expr*>(nullptr));
}

const Expr* TypeParser::fn_type() {
    front::Nesting::Level nest(errors_.nesting());
    if (errors_.too_deep()) return error();
    uint32_t first = begin();
    next();
    std::vector<Group> domains;
    Tok after    = at(Tok::LSquare) ? cursor_.after_bracket() : Tok::Error;
    bool operand = after == Tok::Hash || after == Tok::Union || after == Tok::K_inj;
    if (operand || !look_.at_group()) domains.push_back(type_domain(g_.exprs.inj()));
    else
        while (look_.at_group()) domains.push_back(domain());
    expect(Tok::Arrow);
    auto* result = codomain();
    return make<Pi>(first, PiForm::Fn, list(domains), result);
}

} // namespace mim
