// SPDX-License-Identifier: MIT
#include "syntax/parse_pattern.h"

#include "syntax/parse_atom.h"
#include "syntax/parse_expr.h"
#include "syntax/parse_type.h"

namespace mim {

using namespace ast;

/*
 * names
 */

Binder PatternParser::name() {
    if (!at(Tok::Ident)) {
        expected("a name");
        bool is_meant = look_.is_keyword_as_name({Tok::Assign, Tok::Colon, Tok::Comma, Tok::Semicolon, Tok::LParen, Tok::LSquare,
                                                  Tok::LBrace, Tok::RParen, Tok::RSquare, Tok::RBrace, Tok::At});
        if (is_meant) misuse();
        return {};
    }
    return take_name();
}

Binder PatternParser::name_or_annex() {
    if (!at(Tok::Annex)) return name();
    return take_name();
}

Binder PatternParser::name_or_wildcard() {
    if (at(Tok::Ident)) return take_name();
    Binder b{{}, tree_.place()};
    next();
    return b;
}

/// Reads a keyword that was reported as the name that it is taken for; where it is mentioned there is nothing more to
/// say.
void PatternParser::misuse() {
    look_.note_misuse();
    next();
}

/*
 * patterns
 */

const Pattern* PatternParser::pattern() {
    uint32_t first = begin();
    if (at(Tok::LParen) || at(Tok::LSquare)) return suffix(first, typed(first, brackets(at(Tok::LSquare))));
    if (look_.is_name()) {
        auto* p = names();
        if (p->kind == PatternKind::GroupPattern)
            errors_.report(Diag::group_outside, p->span, {std::string(cursor_.text(first, cursor_.last_end()))});
        return suffix(first, p);
    }
    if (at(Tok::Annex)) {
        Binder name      = name_or_annex();
        const Expr* type = accept(Tok::Colon) ? type_before_assign() : nullptr;
        return make<NamePattern>(first, name, type);
    }
    expected("a pattern");
    if (!look_.is_keyword_as_name({Tok::Assign, Tok::Colon, Tok::Comma, Tok::RParen, Tok::RSquare, Tok::RBrace, Tok::K_as}))
        return make<NamePattern>(first, Binder{}, error());
    misuse();
    const Expr* type = accept(Tok::Colon) ? type_before_assign() : error();
    return suffix(first, make<NamePattern>(first, Binder{}, type));
}

/// `cons (x, rest)`, `some x`, `List.nil`, `%p.List.nil`, each perhaps with a name for the whole. A lone name may be a label as well: only
/// the type of what is matched tells.
const Pattern* PatternParser::arm() {
    if (!look_.at_label()) return pattern();
    uint32_t first = begin();
    Binder label   = at(Tok::Annex) ? name_or_annex() : g_.atoms.qualified_name();
    return suffix(first, make<LabelPattern>(first, label, payload()));
}

/// Behind a label: a pattern in brackets, or a name, for which a type may be stated. Null: none.
const Pattern* PatternParser::payload() {
    if (at(Tok::LParen) || at(Tok::LSquare)) return brackets(at(Tok::LSquare));
    if (!look_.is_name()) return nullptr;
    uint32_t first   = begin();
    Binder x         = name_or_wildcard();
    const Expr* type = accept(Tok::Colon) ? type_before_assign() : nullptr;
    return make<NamePattern>(first, x, type);
}

const Expr* PatternParser::type_before_assign() {
    bool outer = std::exchange(context_.no_ret, true);
    if (at(Tok::Assign)) expected("a type");
    auto* type      = g_.exprs.expr();
    context_.no_ret = outer;
    return type;
}

/// `: T` behind a pattern in brackets
const Pattern* PatternParser::typed(uint32_t first, const Pattern* p) {
    if (!accept(Tok::Colon)) return p;
    auto* type = type_before_assign();
    if (auto* n = isa<NamePattern>(p); n && !n->type) return make<NamePattern>(first, n->name, type);
    auto* t    = isa<TuplePattern>(p);
    bool bare  = t && !t->type;
    auto elems = bare ? t->elems : tree_.list_of(p);
    return make<TuplePattern>(first, bare && t->square, elems, type);
}

const Pattern* PatternParser::suffix(uint32_t first, const Pattern* p) {
    while (accept(Tok::K_as)) {
        Binder x = name();
        p        = make<AsPattern>(first, p, x);
    }
    return p;
}

/// `x`, `x: T`, `x y: T`
const Pattern* PatternParser::names() {
    uint32_t first = begin(), n = 1;
    while (look_.is_name(n)) ++n;
    if (n == 1 || tok(n) != Tok::Colon) {
        Binder x         = name_or_wildcard();
        const Expr* type = nullptr;
        if (at(Tok::Colon)) {
            next();
            type = type_before_assign();
        }
        return make<NamePattern>(first, x, type);
    }
    std::vector<Binder> xs;
    while (look_.is_name()) xs.push_back(name_or_wildcard());
    next();
    auto* type = g_.exprs.expr();
    return make<GroupPattern>(first, list(xs), type);
}

/// One element of brackets.
const Pattern* PatternParser::element(bool square) {
    uint32_t first = begin();
    if (look_.is_pattern_ahead(square)) {
        if (look_.is_name()) return suffix(first, names());
        return pattern();
    }
    auto* type = g_.exprs.expr();
    return suffix(first, make<TypePattern>(first, type));
}

/// `(p, …)`, `[p, …]` or `{p, …}`. Round brackets around one element are dropped.
const Pattern* PatternParser::brackets(bool square) {
    auto* p = keep_brackets(square);
    auto* t = as<TuplePattern>(p);
    if (square || t->elems.size() != 1 || t->elems[0]->kind == PatternKind::GroupPattern) return p;
    return t->elems[0];
}

const Pattern* PatternParser::keep_brackets(bool square) {
    front::Nesting::Level nest(errors_.nesting());
    Brackets flags(context_, square ? "a tuple type" : "a pattern");
    uint32_t first = begin(), opener = cursor_.pos();
    auto closer = static_cast<Tok>(static_cast<int>(tok()) + 1);
    std::vector<const Pattern*> elems;
    if (!errors_.too_deep()) {
        next();
        if (!at(closer)) {
            do elems.push_back(element(square));
            while (accept(Tok::Comma) && !at(closer));
        }
        close(opener, closer);
    }
    return make<TuplePattern>(first, square, list(elems), static_cast<const Expr*>(nullptr));
}

/// A parameter without brackets: `x` or `x: T`, where `@` ends the type.
const Pattern* PatternParser::parameter() {
    uint32_t first   = begin();
    Binder x         = name_or_wildcard();
    const Expr* type = nullptr;
    if (accept(Tok::Colon)) {
        context_.in_param_type = true;
        type                   = g_.types.arrow();
        context_.in_param_type = false;
    }
    return make<NamePattern>(first, x, type);
}

Group PatternParser::group() {
    uint32_t first = begin();
    if (accept(Tok::Dot) || at(Tok::LBrace)) return {keep_brackets(false), true};
    auto* p = brackets(at(Tok::LSquare));
    while (accept(Tok::K_as)) {
        Binder x = name();
        p        = make<AsPattern>(first, p, x);
    }
    return {p, false};
}

List<Group> PatternParser::groups() {
    std::vector<Group> all;
    while (true) {
        if (look_.is_name()) {
            auto* p = parameter();
            all.push_back({p, false});
            if (as<NamePattern>(p)->type) break;
        } else if (at(Tok::LParen) || at(Tok::LSquare) || at(Tok::LBrace) || at(Tok::Dot)) {
            all.push_back(group());
        } else if (look_.is_keyword_as_name({Tok::Colon})) {
            all.push_back({pattern(), false});
            break;
        } else {
            break;
        }
    }
    return list(all);
}

} // namespace mim
