// SPDX-License-Identifier: MIT
// Function types: `d … d → T`, `Cn d … d`, `Fn d … d → T`. Whether `[…]` is a domain or a tuple type is known from the token
// behind its partner, so nothing is read twice.
#include "syntax/parser.h"

namespace mim {

using namespace ast;

/// Whether a `;` stands in these brackets, outside of arrays and packs: what was meant is a block that starts with a statement.
bool Parser::has_statement() const {
    uint32_t partner = toks_[pos_].extra, arrays = 0;
    if (partner == kNone) return false;
    for (uint32_t i = pos_ + 1; i < partner; ++i) {
        const Token& t = toks_[i];
        if (t.tok == Tok::LArray || t.tok == Tok::LPack) ++arrays;
        if ((t.tok == Tok::RArray || t.tok == Tok::RPack) && arrays) --arrays;
        if (t.tok == Tok::Semicolon && !arrays) return true;
        bool opens = t.tok == Tok::LParen || t.tok == Tok::LSquare || t.tok == Tok::LBrace;
        if (opens && t.extra != kNone) i = t.extra;
    }
    return false;
}

/// `{ e }`, and the expression ends behind it, as behind a block: the braces are too many.
bool Parser::at_braced_value() const {
    if (!at(Tok::LBrace) || starts_decl(1) || has_statement()) return false;
    switch (after_bracket()) {
        case Tok::Semicolon:
        case Tok::Comma:
        case Tok::RParen:
        case Tok::RSquare:
        case Tok::RBrace:
        case Tok::K_where:
        case Tok::K_end:
        case Tok::Eof: return true;
        default: return false;
    }
}

/// Whether `{` opens an implicit group here: it does unless a declaration follows.
bool Parser::at_group() const {
    if (at(Tok::Dot)) return true;
    if (!at(Tok::LBrace)) return at(Tok::LSquare);
    if (starts_decl(1) || has_statement() || at_braced_value()) return false;
    bool is_ret_ahead = tok(1) == Tok::Ident && text_.substr(toks_[pos_ + 1].begin, 3) == "ret"
                        && toks_[pos_ + 1].end - toks_[pos_ + 1].begin == 3 && tok(2) != Tok::Colon;
    return !is_ret_ahead;
}

/// Whether a domain in brackets starts here, rather than a tuple type that is an operand.
bool Parser::at_domain() const {
    if (!at(Tok::LSquare)) return at_group();
    Tok after = after_bracket();
    return after == Tok::Arrow || after == Tok::LSquare || after == Tok::LBrace || after == Tok::Dot;
}

Group Parser::domain() {
    bool implicit = accept(Tok::Dot) || at(Tok::LBrace);
    return {keep_brackets(true), implicit};
}

Group Parser::type_domain(const Expr* type) { return {ast::make<TypePattern>(module_.arena, type->span, type), false}; }

/// 0.1: `Π x: T → U`
Group Parser::old_named_domain() {
    uint32_t first = begin();
    Binder x       = name();
    next();
    auto* type       = inj();
    const Pattern* p = make<NamePattern>(first, x, type);
    return {make<TuplePattern>(first, true, module_.arena.list(&p, 1), static_cast<const Expr*>(nullptr)), false};
}

/// A chain of arrows is one Pi with all its domains.
const Expr* Parser::arrow() {
    Nest nest(*this);
    if (too_deep()) return error();
    uint32_t first = begin();
    bool old       = accept(Tok::Pi);
    bool arrow     = true; // the arrow between two domains in brackets may be left out, but not the last one
    std::vector<Group> domains;
    while (true) {
        if (old && at(Tok::Ident) && tok(1) == Tok::Colon) {
            domains.push_back(old_named_domain());
        } else if (at_domain()) {
            domains.push_back(domain());
        } else {
            if (!arrow) expected(describe(Tok::Arrow));
            auto* type = at(Tok::K_Cn) ? cn_type() : at(Tok::K_Fn) ? fn_type() : inj();
            if (!at(Tok::Arrow)) return domains.empty() ? type : make<Pi>(first, PiForm::Pi, list(domains), type);
            domains.push_back(type_domain(type));
        }
        arrow = accept(Tok::Arrow);
    }
}

/// `Cn [A] [B]`, or `Cn` before any type, which then reaches as far as it can: `Cn A → B` is `Cn (A → B)`.
const Expr* Parser::cn_type() {
    uint32_t first = begin();
    next();
    std::vector<Group> domains;
    do {
        Tok after    = at(Tok::LSquare) ? after_bracket() : Tok::Error;
        bool operand = after == Tok::Hash || after == Tok::Union || after == Tok::K_inj || after == Tok::Arrow;
        if (operand || !at_group()) {
            uint32_t inner = begin();
            Group g        = type_domain(arrow());
            if (!domains.empty()) // in square brackets, as only those may follow another domain
                g.pattern = make<TuplePattern>(inner, true, module_.arena.list(&g.pattern, 1), static_cast<const Expr*>(nullptr));
            domains.push_back(g);
            break;
        }
        domains.push_back(domain());
    } while (at_group());
    return make<Pi>(first, PiForm::Cn, list(domains), static_cast<const Expr*>(nullptr));
}

const Expr* Parser::fn_type() {
    Nest nest(*this);
    if (too_deep()) return error();
    uint32_t first = begin();
    next();
    std::vector<Group> domains;
    Tok after    = at(Tok::LSquare) ? after_bracket() : Tok::Error;
    bool operand = after == Tok::Hash || after == Tok::Union || after == Tok::K_inj;
    if (operand || !at_group()) domains.push_back(type_domain(inj()));
    else
        while (at_group()) domains.push_back(domain());
    expect(Tok::Arrow);
    auto* codomain = arrow();
    return make<Pi>(first, PiForm::Fn, list(domains), codomain);
}

} // namespace mim
