// SPDX-License-Identifier: MIT
// Operators, applications and what they consist of.
#include "parser.h"

namespace mim::plug::polara {

/// An operator and its right operand.
Expr* Parser::infix(Expr* left, Expr* (Parser::*operand)()) {
    auto sign = cursor_.word();
    next();
    auto right = (this->*operand)();
    return make({.kind = Expr::Infix, .span = from(left->span.begin), .text = sign, .parts = {left, right}});
}

Expr* Parser::comparison() {
    auto left = sums();
    return at(EqualEqual) || at(Less) ? infix(left, &Parser::sums) : left;
}

Expr* Parser::sums() {
    auto left = products();
    while (at(Plus) || at(Minus)) left = infix(left, &Parser::products);
    return left;
}

Expr* Parser::products() {
    auto left = application();
    while (at(Star) || at(Times) || at(Slash)) left = infix(left, &Parser::application);
    return left;
}

bool Parser::at_argument() const {
    switch (tok()) {
        case front::Name:
        case front::Integer:
        case front::Float:
        case True:
        case False:
        case LParen: return true;
        default: return false;
    }
}

Expr* Parser::application() {
    auto f = postfix();
    while (at_argument() || lacks_brackets()) {
        auto a = postfix();
        f      = make({.kind = Expr::Apply, .span = from(f->span.begin), .parts = {f, a}});
    }
    return f;
}

/// The contents of brackets whose opener is the last token.
std::vector<Expr*> Parser::list(front::Kind closer, bool has_blocks) {
    auto around = std::exchange(reading, has_blocks ? "what stands in brackets" : "indices");
    std::vector<Expr*> parts;
    if (at(closer)) parts.push_back(broken("an expression"));
    bracketed(Comma, closer, [&] { parts.push_back(has_blocks ? block() : expr()); });
    reading = around;
    return parts;
}

Expr* Parser::postfix() {
    auto e = atom();
    while (true) {
        if (at(LBracket)) {
            next();
            for (auto i : list(RBracket, false)) e = make({.kind = Expr::Get, .span = from(e->span.begin), .parts = {e, i}});
        } else if (at(LParen) && is_adjacent()) {
            next();
            for (auto a : list(RParen, true)) e = make({.kind = Expr::Apply, .span = from(e->span.begin), .parts = {e, a}});
        } else if (at(Dot) && is_adjacent() && !projected(0).empty()) {
            e = projections(e);
        } else {
            if (at(Dot)) expected(e->kind == Expr::Integer ? "digits behind the point" : "`.1` or `.2` without spaces");
            return e;
        }
    }
}

/// The digits behind a dot so far ahead: `.1` and `.2`; `.1.2` is a dot and a number with a point. Empty if it projects
/// nothing.
std::string_view Parser::projected(uint32_t dot) const {
    auto digits     = cursor_.word(dot + 1);
    bool is_near    = cursor_.token(dot + 1).begin == cursor_.token(dot).end;
    bool is_one     = tok(dot + 1) == front::Integer && digits.size() == 1;
    bool is_two     = tok(dot + 1) == front::Float && digits.size() == 3 && digits[1] == '.';
    bool is_no_part = digits.find_first_not_of("12.") != digits.npos;
    return is_near && (is_one || is_two) && !is_no_part ? digits : std::string_view();
}

Expr* Parser::projections(Expr* e) {
    auto digits = projected(0);
    next();
    next();
    for (size_t i = 0; i < digits.size(); i += 2)
        e = make({.kind = digits[i] == '1' ? Expr::First : Expr::Second, .span = from(e->span.begin), .parts = {e}});
    return e;
}

Expr* Parser::number(bool is_negative, uint32_t begin) {
    auto kind = at(front::Integer) && !is_negative ? Expr::Integer : Expr::Float;
    auto word = cursor_.word();
    next();
    return make({.kind = kind, .span = from(begin), .text = word, .is_negative = is_negative});
}

Expr* Parser::brackets() {
    auto begin = cursor_.begin();
    next();
    auto parts = list(RParen, true);
    auto e     = parts.back();
    for (size_t i = parts.size() - 1; i-- != 0;) e = make({.kind = Expr::Pair, .span = from(begin), .parts = {parts[i], e}});
    if (parts.size() == 1) e->span = from(begin);
    return e;
}

Expr* Parser::atom() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return nothing();
    auto span = cursor_.span();
    auto word = cursor_.word();
    if (at_long_expression() || at(Let)) return without_brackets();
    if (accept(front::Name) || accept(Sum)) return make({.kind = Expr::Name, .span = span, .text = word});
    if (at(front::Integer) || at(front::Float)) return number(false, span.begin);
    if (at(True) || at(False)) {
        next();
        return make({.kind = Expr::Bool, .span = span, .text = word});
    }
    if (at(LParen)) return brackets();
    bool is_negative = at(Minus) && (tok(1) == front::Integer || tok(1) == front::Float);
    if (!is_negative) return broken("an expression");
    next();
    return number(true, span.begin);
}

} // namespace mim::plug::polara
