// SPDX-License-Identifier: MIT
#include <string>

#include "front/parser.h"
#include "polara.h"

namespace mim::plug::polara {

namespace {

using front::ParserBase;

constexpr uint32_t kMaxBrackets = 30'000;

class Parser : ParserBase {
public:
    Parser(FrontEndContext& c, Program& program)
        : ParserBase(c.file, c.text, lexicon(), {.continues = {Then, Else, RParen, RBracket, Comma}}, c.diags)
        , program_(program) {
        nesting_ = front::Nesting(3 * kMaxBrackets); // an argument in brackets is three levels
    }

    bool file();

private:
    void math_line();
    void def();
    void parameters(Def&);
    void sizes(Def&);
    std::string_view take_name();

    /// The result of `inner`, which reads the contents of brackets whose opener is the last token.
    template<class F>
    auto in_brackets(F inner) {
        auto lines  = cursor_.suspend();
        auto opener = cursor_.pos() - 1;
        auto result = inner();
        close(opener, RParen);
        return result;
    }
    const TypeExpr* type();
    const TypeExpr* product();
    const TypeExpr* atomic_type();
    const TypeExpr* sized(const SizeExpr*);
    bool at_size_of_array();
    const SizeExpr* size();
    const SizeExpr* size_product();
    const SizeExpr* size_atom();

    Expr* block();
    Expr* let();
    struct Pattern {
        std::string_view name;
        Span span;
        std::vector<Pattern> parts;
    };
    Pattern pattern();
    Expr* bind(const Pattern&, const TypeExpr*, Expr* value, uint32_t begin);
    Expr* expr();
    Expr* function();
    Expr* loop();
    Expr* fold();
    Expr* choice();
    Expr* comparison();
    Expr* sums();
    Expr* products();
    Expr* application();
    Expr* postfix();
    Expr* projections(Expr*);
    Expr* atom();
    Expr* brackets();
    Expr* number(bool is_negative, uint32_t begin);
    std::vector<Expr*> list(front::Kind closer, bool has_blocks);
    Expr* infix(Expr* left, Expr* (Parser::*operand)());

    bool at_argument() const;
    bool is_adjacent() const { return cursor_.begin() == cursor_.last_end(); }
    Span from(uint32_t begin) const { return cursor_.span_from(begin); }
    Expr* make(Expr e) { return &program_.exprs.emplace_back(std::move(e)); }
    Expr* broken(std::string_view what) {
        expected(what);
        return make({.kind = Expr::Broken, .span = cursor_.span()});
    }
    Local* local(Span span, std::string_view name) { return &program_.locals.emplace_back(Local{.name = name, .span = span}); }
    const TypeExpr* make_type(TypeExpr t) { return &program_.type_exprs.emplace_back(t); }
    const SizeExpr* make_size(SizeExpr s) { return &program_.sizes.emplace_back(s); }

    Program& program_;
};

// ---- definitions

bool Parser::file() {
    math_line();
    auto block = cursor_.open(1);
    while (!at(front::Close)) {
        def();
        if (!at_item_end()) {
            expected("the end of the definition");
            skip_item();
        }
        while (at(front::Close) && cursor_.raw() != front::End) next(); // what stands left of the first column cannot be
        accept(front::Item);
    }
    return !has_errors() && diags_.num_errors() == 0;
}

void Parser::math_line() {
    if (!at(front::Name) || cursor_.word() != "math") return;
    next();
    bool is_known = cursor_.word() == "fast" || cursor_.word() == "strict";
    if (!at(front::Name) || !is_known) return expected("`fast` or `strict`");
    program_.is_fast = cursor_.word() == "fast";
    next();
}

std::string_view Parser::take_name() {
    auto name = cursor_.word();
    return expect(front::Name) ? name : "_";
}

void Parser::def() {
    reading = "a definition";
    Def def;
    def.is_extern = accept(Extern);
    if (!at(DefWord)) {
        expected("`def`");
        return skip_item();
    }
    next();
    def.name_span = cursor_.span();
    def.name      = take_name();
    if (accept(LBrace)) sizes(def);
    if (accept(LParen)) bracketed(Comma, RParen, [&] { parameters(def); });
    if (accept(Colon)) def.result = type();
    if (!expect(Assign)) return skip_item();
    def.body = block();
    program_.defs.push_back(std::move(def));
}

void Parser::sizes(Def& def) {
    auto lines  = cursor_.suspend();
    auto opener = cursor_.pos() - 1;
    while (at(front::Name)) {
        auto span = cursor_.span();
        def.sizes.push_back({take_name(), span});
    }
    close(opener, RBrace);
}

/// Some names and their type.
void Parser::parameters(Def& def) {
    std::vector<Local*> names;
    do {
        auto span = cursor_.span();
        names.push_back(local(span, take_name()));
    } while (at(front::Name));
    expect(Colon);
    auto declared = type();
    for (auto name : names) {
        name->declared = declared;
        def.parameters.push_back(name);
    }
}

// ---- types

/// Whether a size is next, and with it the type of an array. One in brackets has no word of types.
bool Parser::at_size_of_array() {
    auto is_type = [](std::string_view word) { return word == "nat" || word == "flt" || word == "bool" || word == "fin"; };
    if (at(front::Integer)) return true;
    if (at(front::Name)) return !is_type(cursor_.word());
    auto partner = cursor_.token().extra;
    if (!at(LParen) || partner == front::kNone) return false;
    for (uint32_t i = 1; cursor_.pos() + i < partner; ++i) {
        auto kind     = cursor_.token(i).tok;
        bool is_other = kind == Arrow || kind == DoubleArrow || (kind == front::Name && is_type(cursor_.word(i)));
        if (is_other) return false;
    }
    return true;
}

const TypeExpr* Parser::sized(const SizeExpr* size) {
    auto begin = size->span.begin;
    expect(DoubleArrow);
    auto elem = type();
    return make_type({.kind = TypeExpr::Array, .span = from(begin), .size = size, .first = elem});
}

const TypeExpr* Parser::type() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return make_type({.kind = TypeExpr::Broken, .span = cursor_.span()});
    auto begin = cursor_.begin();
    if (at_size_of_array()) return sized(size());
    auto first = product();
    if (!accept(Arrow)) return first;
    auto second = type();
    return make_type({.kind = TypeExpr::Fun, .span = from(begin), .first = first, .second = second});
}

const TypeExpr* Parser::product() {
    front::Nesting::Level nest(nesting_);
    auto begin = cursor_.begin();
    auto first = atomic_type();
    if (too_deep() || (!accept(Star) && !accept(Times))) return first;
    auto second = product();
    return make_type({.kind = TypeExpr::Pair, .span = from(begin), .first = first, .second = second});
}

const TypeExpr* Parser::atomic_type() {
    auto span = cursor_.span();
    if (accept(LParen)) return in_brackets([&] { return type(); });
    auto word = at(front::Name) ? cursor_.word() : std::string_view();
    auto kind = word == "nat"    ? TypeExpr::Nat
                : word == "flt"  ? TypeExpr::Flt
                : word == "bool" ? TypeExpr::Bool
                                 : TypeExpr::Broken;
    if (kind != TypeExpr::Broken) {
        next();
        return make_type({.kind = kind, .span = span});
    }
    if (word == "fin") {
        next();
        auto size = size_atom();
        return make_type({.kind = TypeExpr::Fin, .span = from(span.begin), .size = size});
    }
    expected("a type");
    return make_type({.kind = TypeExpr::Broken, .span = span});
}

const SizeExpr* Parser::size() {
    auto begin = cursor_.begin();
    auto left  = size_product();
    while (at(Plus) || at(Minus)) {
        auto kind = at(Plus) ? SizeExpr::Add : SizeExpr::Sub;
        next();
        auto right = size_product();
        left       = make_size({.kind = kind, .span = from(begin), .left = left, .right = right});
    }
    return left;
}

const SizeExpr* Parser::size_product() {
    auto begin = cursor_.begin();
    auto left  = size_atom();
    while (at(Star) || at(Times)) {
        next();
        auto right = size_atom();
        left       = make_size({.kind = SizeExpr::Mul, .span = from(begin), .left = left, .right = right});
    }
    return left;
}

const SizeExpr* Parser::size_atom() {
    front::Nesting::Level nest(nesting_);
    auto span = cursor_.span();
    if (too_deep()) return make_size({.kind = SizeExpr::Broken, .span = span});
    auto word = cursor_.word();
    if (accept(front::Integer)) return make_size({.kind = SizeExpr::Number, .span = span, .text = word});
    if (accept(front::Name)) return make_size({.kind = SizeExpr::Name, .span = span, .text = word});
    if (accept(LParen)) return in_brackets([&] { return size(); });
    expected("a size");
    return make_size({.kind = SizeExpr::Broken, .span = span});
}

// ---- blocks

Expr* Parser::block() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return make({.kind = Expr::Broken, .span = cursor_.span()});
    bool has_column = cursor_.raw() != front::End && (cursor_.token().is_first || cursor_.raw() == Let);
    bool is_inside  = !at(front::Close) && !at(front::Item);
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
    auto lines  = cursor_.suspend();
    auto opener = cursor_.pos() - 1;
    auto first  = pattern();
    expect(Comma);
    auto second = pattern();
    close(opener, RParen);
    return {"_", from(span.begin), {first, second}};
}

/// The parts of a pair are two projections of it. The innermost `let` of those that are made has no body yet.
Expr* Parser::bind(const Pattern& p, const TypeExpr* declared, Expr* value, uint32_t begin) {
    auto binder      = local(p.span, p.name);
    binder->declared = declared;
    auto let         = make({.kind = Expr::Let, .span = from(begin), .parts = {value}, .binder = binder});
    auto last        = let;
    for (size_t i = 0; i != p.parts.size(); ++i) {
        auto pair   = make({.kind = Expr::Name, .span = p.span, .text = p.name});
        pair->local = binder;
        auto kind   = i == 0 ? Expr::First : Expr::Second;
        auto part   = make({.kind = kind, .span = p.parts[i].span, .parts = {pair}});
        auto inner  = bind(p.parts[i], nullptr, part, p.parts[i].span.begin);
        last->parts.push_back(inner);
        while (inner->parts.size() == 2) inner = inner->parts[1];
        last = inner;
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
        last = around;
        while (last->parts.size() == 2) last = last->parts[1];
        if (!accept(Semicolon) && !accept(front::Item)) {
            last->parts.push_back(broken("a new line or `;`, and the value of the block"));
            return first;
        }
        accept(front::Item); // behind a `;`
    }
    last->parts.push_back(expr());
    return first;
}

// ---- expressions

Expr* Parser::expr() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return make({.kind = Expr::Broken, .span = cursor_.span()});
    switch (tok()) {
        case Fun: return function();
        case For: return loop();
        case Sum: {
            bool is_loop = tok(1) == front::Name && (tok(2) == Colon || tok(2) == Dot || tok(2) == front::Name);
            return is_loop ? loop() : comparison();
        }
        case Fold:
        case Scan: return fold();
        case If: return choice();
        default: return comparison();
    }
}

Expr* Parser::function() {
    auto begin = cursor_.begin();
    next();
    std::vector<Local*> names;
    do {
        size_t first = names.size();
        do {
            auto span = cursor_.span();
            names.push_back(local(span, take_name()));
        } while (at(front::Name));
        if (!accept(Colon)) continue;
        auto declared = type();
        for (size_t i = first; i != names.size(); ++i) names[i]->declared = declared;
    } while (accept(Comma));
    expect(Dot);
    auto body = expr();
    for (size_t i = names.size(); i-- != 0;)
        body = make(
            {.kind = Expr::Fun, .span = from(i == 0 ? begin : names[i]->span.begin), .parts = {body}, .binder = names[i]});
    return body;
}

Expr* Parser::loop() {
    auto begin  = cursor_.begin();
    auto span   = cursor_.span();
    bool is_sum = at(Sum);
    next();
    std::vector<Local*> names;
    do {
        auto name_span = cursor_.span();
        names.push_back(local(name_span, take_name()));
        if (accept(Colon)) names.back()->extent = size();
    } while (at(front::Name));
    expect(Dot);
    auto body = expr();
    for (size_t i = names.size(); i-- != 0;) {
        auto at = from(i == 0 ? begin : names[i]->span.begin);
        body    = make({.kind = Expr::For, .span = at, .parts = {body}, .binder = names[i]});
        if (!is_sum) continue;
        auto sum = make({.kind = Expr::Name, .span = span, .text = "sum"});
        body     = make({.kind = Expr::Apply, .span = at, .parts = {sum, body}});
    }
    return body;
}

Expr* Parser::fold() {
    auto begin = cursor_.begin();
    auto kind  = at(Fold) ? Expr::Fold : Expr::Scan;
    next();
    auto span  = cursor_.span();
    auto value = local(span, take_name());
    expect(Assign);
    auto start = comparison();
    expect(For);
    span       = cursor_.span();
    auto index = local(span, take_name());
    if (accept(Colon)) index->extent = size();
    expect(Dot);
    auto body = expr();
    return make({.kind = kind, .span = from(begin), .parts = {start, body}, .binder = value, .index = index});
}

Expr* Parser::choice() {
    auto begin = cursor_.begin();
    next();
    auto condition = expr();
    expect(Then);
    auto holds = block();
    expect(Else);
    auto fails = block();
    return make({.kind = Expr::If, .span = from(begin), .parts = {condition, holds, fails}});
}

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
    while (at_argument()) {
        auto a = postfix();
        f      = make({.kind = Expr::Apply, .span = from(f->span.begin), .parts = {f, a}});
    }
    return f;
}

/// The contents of brackets whose opener is the last token.
std::vector<Expr*> Parser::list(front::Kind closer, bool has_blocks) {
    auto around = std::exchange(reading, has_blocks ? "what stands in brackets" : "indices");
    std::vector<Expr*> parts;
    bracketed(Comma, closer, [&] { parts.push_back(has_blocks ? block() : expr()); });
    reading = around;
    return parts;
}

Expr* Parser::postfix() {
    auto e = atom();
    while (true) {
        if (at(LBracket)) {
            next();
            auto indices = list(RBracket, false);
            if (indices.empty()) broken("an index");
            for (auto i : indices) e = make({.kind = Expr::Get, .span = from(e->span.begin), .parts = {e, i}});
        } else if (at(LParen) && is_adjacent()) {
            next();
            auto args = list(RParen, true);
            if (args.empty()) broken("an argument");
            for (auto a : args) e = make({.kind = Expr::Apply, .span = from(e->span.begin), .parts = {e, a}});
        } else if (at(Dot) && is_adjacent() && cursor_.token(1).begin == cursor_.end()) {
            auto before = cursor_.pos();
            e           = projections(e);
            if (cursor_.pos() == before) return e;
        } else {
            return e;
        }
    }
}

/// `.1` and `.2`; `.1.2` is a dot and a number with a point.
Expr* Parser::projections(Expr* e) {
    auto digits    = cursor_.word(1);
    bool is_one    = tok(1) == front::Integer && (digits == "1" || digits == "2");
    bool has_point = tok(1) == front::Float && digits.size() == 3 && digits[1] == '.';
    bool is_two    = has_point && (digits[0] == '1' || digits[0] == '2') && (digits[2] == '1' || digits[2] == '2');
    if (!is_one && !is_two) return e;
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
    if (parts.empty()) return broken("an expression");
    auto e = parts.back();
    for (size_t i = parts.size() - 1; i-- != 0;) e = make({.kind = Expr::Pair, .span = from(begin), .parts = {parts[i], e}});
    if (parts.size() == 1) e->span = from(begin);
    return e;
}

Expr* Parser::atom() {
    front::Nesting::Level nest(nesting_);
    auto span = cursor_.span();
    if (too_deep()) return make({.kind = Expr::Broken, .span = span});
    auto word = cursor_.word();
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

} // namespace

bool parse(FrontEndContext& c, Program& program) { return Parser(c, program).file(); }

} // namespace mim::plug::polara
