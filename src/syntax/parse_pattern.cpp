// SPDX-License-Identifier: MIT
// Patterns and parameter groups. In round brackets a lone name binds; in square ones it is a type, and whether an element has a
// name is known from the tokens ahead (`x y:`, `(…):`, `(…) as`), so nothing is read twice.
#include "syntax/parser.h"

namespace mim {

using namespace ast;

namespace {
constexpr const Expr* kNoType = nullptr;
}

/// A pattern on its own: of a `let`, a `ret`, or an arm.
const Pattern* Parser::pattern() {
    uint32_t first = begin();
    if (at(Tok::LParen) || at(Tok::LSquare)) return suffix(first, typed(first, brackets(at(Tok::LSquare))));
    if (at(Tok::Ident) || at(Tok::Underscore)) {
        auto* p = names();
        if (p->kind == PatternKind::GroupPattern)
            report(Diag::group_outside, p->span, {std::string(text_.substr(first, last_end_ - first))});
        return suffix(first, p);
    }
    if (at(Tok::Annex)) {
        Binder name      = name_or_annex();
        const Expr* type = accept(Tok::Colon) ? type_before_assign() : nullptr;
        return make<NamePattern>(first, name, type);
    }
    expected("a pattern");
    if (!is_keyword_as_name({Tok::Assign, Tok::Colon, Tok::Comma, Tok::RParen, Tok::RSquare, Tok::RBrace, Tok::K_as}))
        return make<NamePattern>(first, Binder{}, error());
    misuse();
    const Expr* type = accept(Tok::Colon) ? type_before_assign() : error();
    return suffix(first, make<NamePattern>(first, Binder{}, type));
}

/// A type, behind which `=` starts a value: `ret x = …` is no statement there.
const Expr* Parser::type_before_assign() {
    bool outer = std::exchange(no_ret_, true);
    if (at(Tok::Assign)) expected("a type");
    auto* type = expr();
    no_ret_    = outer;
    return type;
}

/// `: T` behind a pattern in brackets
const Pattern* Parser::typed(uint32_t first, const Pattern* p) {
    if (!accept(Tok::Colon)) return p;
    auto* type = type_before_assign();
    if (auto* n = isa<NamePattern>(p); n && !n->type) return make<NamePattern>(first, n->name, type);
    auto* t    = isa<TuplePattern>(p);
    bool bare  = t && !t->type;
    auto elems = bare ? t->elems : module_.arena.list(&p, 1);
    return make<TuplePattern>(first, bare && t->square, elems, type);
}

const Pattern* Parser::suffix(uint32_t first, const Pattern* p) {
    while (accept(Tok::K_as)) {
        Binder x = name();
        p        = make<AsPattern>(first, p, x);
    }
    return p;
}

/// `x`, `x: T`, `x y: T`
const Pattern* Parser::names() {
    uint32_t first = begin(), n = 1;
    auto is_name = [&](uint32_t i) { return tok(i) == Tok::Ident || tok(i) == Tok::Underscore; };
    auto take    = [&] {
        Binder b;
        if (at(Tok::Ident)) b.name = symbol(begin(), toks_[pos_].end);
        b.span = span();
        next();
        return b;
    };
    while (is_name(n)) ++n;
    if (n == 1 || tok(n) != Tok::Colon) {
        Binder x         = take();
        const Expr* type = nullptr;
        if (at(Tok::Colon)) {
            next();
            type = type_before_assign();
        }
        return make<NamePattern>(first, x, type);
    }
    std::vector<Binder> xs;
    while (is_name(0)) xs.push_back(take());
    next();
    auto* type = expr();
    return make<GroupPattern>(first, list(xs), type);
}

/// Whether an element of square brackets is a pattern rather than a type.
bool Parser::is_pattern_ahead(bool square) const {
    if (at(Tok::Ident) || at(Tok::Underscore)) {
        if (!square) return true;
        uint32_t n = 1;
        while (tok(n) == Tok::Ident || tok(n) == Tok::Underscore) ++n;
        return tok(n) == Tok::Colon;
    }
    if (square && is_keyword_as_name({Tok::Colon})) return true;
    if (!at(Tok::LParen) && !at(Tok::LSquare)) return !square;
    if (!square) return true;
    Tok after = after_bracket();
    if (after == Tok::Colon || after == Tok::K_as) return true;
    return at(Tok::LSquare) && (after == Tok::Comma || after == Tok::RSquare || after == Tok::RBrace || after == Tok::RParen);
}

/// One element of brackets.
const Pattern* Parser::element(bool square) {
    uint32_t first = begin();
    if (is_pattern_ahead(square)) {
        if (at(Tok::Ident) || at(Tok::Underscore)) return suffix(first, names());
        return pattern();
    }
    auto* type = expr();
    return suffix(first, make<TypePattern>(first, type));
}

/// `(p, …)`, `[p, …]` or `{p, …}`. Round brackets around one element are dropped.
const Pattern* Parser::brackets(bool square) {
    auto* p = keep_brackets(square);
    auto* t = as<TuplePattern>(p);
    if (square || t->elems.size() != 1 || t->elems[0]->kind == PatternKind::GroupPattern) return p;
    return t->elems[0];
}

const Pattern* Parser::keep_brackets(bool square) {
    Nest nest(*this);
    Brackets flags(*this, square ? "a tuple type" : "a pattern");
    uint32_t first = begin(), opener = pos_;
    auto closer = static_cast<Tok>(static_cast<int>(tok()) + 1);
    std::vector<const Pattern*> elems;
    if (!too_deep()) {
        next();
        if (!at(closer)) {
            do elems.push_back(element(square));
            while (accept(Tok::Comma));
        }
        close(opener, closer);
    }
    return make<TuplePattern>(first, square, list(elems), kNoType);
}

/// A parameter without brackets: `x` or `x: T`, where `@` ends the type.
const Pattern* Parser::parameter() {
    uint32_t first = begin();
    Binder x;
    if (at(Tok::Ident)) x.name = symbol(first, toks_[pos_].end);
    x.span = span();
    next();
    const Expr* type = nullptr;
    if (accept(Tok::Colon)) {
        in_param_type_ = true;
        type           = arrow();
        in_param_type_ = false;
    }
    return make<NamePattern>(first, x, type);
}

Group Parser::group() {
    uint32_t first = begin();
    if (accept(Tok::Dot) || at(Tok::LBrace)) return {keep_brackets(false), true};
    auto* p = brackets(at(Tok::LSquare));
    while (accept(Tok::K_as)) {
        Binder x = name();
        p        = make<AsPattern>(first, p, x);
    }
    return {p, false};
}

/// The parameter groups of a function or a rule. A typed one without brackets is the last.
List<Group> Parser::groups() {
    std::vector<Group> all;
    while (true) {
        if (at(Tok::Ident) || at(Tok::Underscore)) {
            auto* p = parameter();
            all.push_back({p, false});
            if (as<NamePattern>(p)->type) break;
        } else if (at(Tok::LParen) || at(Tok::LSquare) || at(Tok::LBrace) || at(Tok::Dot)) {
            all.push_back(group());
        } else if (is_keyword_as_name({Tok::Colon})) {
            all.push_back({pattern(), false});
            break;
        } else {
            break;
        }
    }
    return list(all);
}

} // namespace mim
