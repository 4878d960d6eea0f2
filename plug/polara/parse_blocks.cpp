// SPDX-License-Identifier: MIT
// Blocks, and the expressions that words begin.
#include "parser.h"

namespace mim::plug::polara {

Expr* Parser::block() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return nothing();
    bool has_column = cursor_.raw() != front::End && (cursor_.token().is_first || cursor_.raw() == Let);
    bool is_inside  = !at(front::Close) && !at(front::Item);
    bool is_left    = !is_inside && cursor_.raw() == Let;
    if (is_left) return broken("a block further right than what it belongs to");
    if (!has_column || !is_inside) return at(Let) ? let() : expr();
    auto lines = cursor_.open(cursor_.token().column);
    return at(Let) ? let() : expr();
}

Parser::Pattern Parser::pattern() {
    front::Nesting::Level nest(nesting_);
    auto span = cursor_.span();
    if (too_deep() || !accept(LParen)) {
        auto name = take_name();
        return {name, span, {}};
    }
    auto parts = in_brackets([&] {
        std::vector<Pattern> both;
        both.push_back(pattern());
        expect(Comma);
        both.push_back(pattern());
        return both;
    });
    return {"_", from(span.begin), std::move(parts)};
}

/// The innermost of the `let`s, which has no body yet.
static Expr* innermost(Expr* let) {
    while (let->parts.size() == 2) let = let->parts[1];
    return let;
}

/// The parts of a pair are two projections of it.
Expr* Parser::bind(const Pattern& p, Type* declared, Expr* value, uint32_t begin) {
    auto binder  = local(p.span, p.name);
    binder->type = declared;
    auto let     = make({.kind = Expr::Let, .span = from(begin), .parts = {value}, .binder = binder});
    auto last    = let;
    for (size_t i = 0; i != p.parts.size(); ++i) {
        auto pair   = make({.kind = Expr::Name, .span = p.span, .text = p.name});
        pair->local = binder;
        auto kind   = i == 0 ? Expr::First : Expr::Second;
        auto part   = make({.kind = kind, .span = p.parts[i].span, .parts = {pair}});
        auto inner  = bind(p.parts[i], nullptr, part, p.parts[i].span.begin);
        last->parts.push_back(inner);
        last = innermost(inner);
    }
    return let;
}

/// The `let`s of a block, in a loop: there may be many.
Expr* Parser::let() {
    Expr *first = nullptr, *last = nullptr;
    while (at(Let)) {
        auto begin = cursor_.begin();
        next();
        auto names    = pattern();
        auto declared = accept(Colon) ? type() : nullptr;
        if (!expect(Assign)) return make({.kind = Expr::Broken, .span = from(begin)});
        auto value  = block();
        auto around = bind(names, declared, value, begin);
        if (last) last->parts.push_back(around);
        if (!first) first = around;
        last = innermost(around);
        if (!accept(Semicolon) && !accept(front::Item)) {
            last->parts.push_back(broken("a new line or `;`, and the value of the block"));
            return first;
        }
        accept(front::Item); // behind a `;`
    }
    last->parts.push_back(expr());
    return first;
}

Expr* Parser::expr() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return nothing();
    switch (tok()) {
        case Fun: return function();
        case For: return loop();
        case Sum: return at_loop_of_sum() ? loop() : comparison();
        case Fold:
        case Scan: return fold();
        case If: return choice();
        default: return comparison();
    }
}

/// Whether `sum` is of a loop, whose head a name begins, and not of an array by that name.
bool Parser::at_loop_of_sum() const {
    if (tok(1) != front::Name) return false;
    auto& behind  = cursor_.token(2);
    bool is_apart = behind.is_first && behind.column <= cursor_.column();
    if (tok(2) == Dot) return behind.begin != cursor_.token(1).end || projected(2).empty();
    return tok(2) == Colon || (tok(2) == front::Name && !is_apart);
}

/// Whether an expression begins that goes as far to the right as it can.
bool Parser::at_long_expression() const {
    switch (tok()) {
        case Fun:
        case For:
        case If:
        case Fold:
        case Scan: return true;
        default: return at(Sum) && at_loop_of_sum();
    }
}

/// Reports such an expression, which is an operand or an argument, or a `let`, and reads it.
Expr* Parser::without_brackets() {
    ++mild_errors_;
    if (at(Let)) diags_.report(diag::let_in_brackets(), cursor_.span());
    else diags_.report(diag::needs_brackets(std::string(cursor_.word())), cursor_.span());
    return at(Let) ? block() : expr();
}

Expr* Parser::function() {
    auto begin = cursor_.begin();
    next();
    std::vector<Local*> all;
    do {
        auto first = names(all);
        if (accept(Colon)) state_type(all, first);
    } while (accept(Comma));
    expect(Dot);
    return nested(begin, Expr::Fun, all, expr());
}

/// Binders inside of each other around a body.
Expr* Parser::nested(uint32_t begin, Expr::Kind kind, const std::vector<Local*>& names, Expr* body, const Expr* each) {
    for (size_t i = names.size(); i-- != 0;) {
        auto span = from(i == 0 ? begin : names[i]->span.begin);
        body      = make({.kind = kind, .span = span, .parts = {body}, .binder = names[i]});
        if (each) body = make({.kind = Expr::Apply, .span = span, .parts = {make(*each), body}});
    }
    return body;
}

Expr* Parser::loop() {
    auto begin  = cursor_.begin();
    auto sum    = Expr{.kind = Expr::Name, .span = cursor_.span(), .text = "sum"};
    bool is_sum = at(Sum);
    next();
    std::vector<Local*> names;
    do names.push_back(index());
    while (at(front::Name));
    expect(Dot);
    return nested(begin, Expr::For, names, expr(), is_sum ? &sum : nullptr);
}

Expr* Parser::fold() {
    auto begin = cursor_.begin();
    auto kind  = at(Fold) ? Expr::Fold : Expr::Scan;
    next();
    auto value = local();
    expect(Assign);
    auto around  = std::exchange(starts_fold_, true);
    auto start   = comparison();
    starts_fold_ = around;
    expect(For);
    auto turn = index();
    expect(Dot);
    auto body = expr();
    return make({.kind = kind, .span = from(begin), .parts = {start, body}, .binder = value, .index = turn});
}

Expr* Parser::choice() {
    auto begin = cursor_.begin();
    next();
    auto condition = expr();
    if (!expect(Then)) return nothing();
    auto holds = block();
    if (!expect(Else)) return nothing();
    auto fails = block();
    return make({.kind = Expr::If, .span = from(begin), .parts = {condition, holds, fails}});
}

} // namespace mim::plug::polara
