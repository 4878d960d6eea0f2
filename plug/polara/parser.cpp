// SPDX-License-Identifier: MIT
#include <string>

#include "front/parser.h"
#include "polara.h"
#include "polara/diagnostics.h"

namespace mim::plug::polara {

namespace {

using front::ParserBase;

constexpr uint32_t kMaxBrackets = 30'000;

class Parser : ParserBase {
public:
    Parser(FrontEndContext& c, Program& program, Types& types)
        : ParserBase(c.file, c.text, lexicon(), {.continues = {Then, Else, RParen, RBracket, Comma}}, c.diags)
        , text_(c.text)
        , program_(program)
        , types_(types) {
        nesting_ = front::Nesting(3 * kMaxBrackets); // an argument in brackets is three levels
    }

    bool file();

private:
    void math_line();
    void def();
    const std::vector<SizeName>& sizes();
    std::vector<Local*> parameters();
    size_t names(std::vector<Local*>&);
    void state_type(const std::vector<Local*>&, size_t first);
    std::string_view take_name();

    /// The result of `inner`, which reads the contents of brackets whose opener is the last token.
    template<class F>
    auto in_brackets(F inner, front::Kind closer = RParen) {
        auto lines  = cursor_.suspend();
        auto opener = cursor_.pos() - 1;
        auto result = inner();
        close(opener, closer);
        return result;
    }
    Type* type();
    Type* product();
    Type* atomic_type();
    bool at_size_of_array();
    Polynomial size();
    Polynomial size_of(Polynomial (Parser::*part)());
    Polynomial size_sum();
    Polynomial size_product();
    Polynomial size_atom();
    Polynomial size_name(std::string_view, Span);
    Polynomial size_number(std::string_view, Span);

    Expr* block();
    Expr* let();
    struct Pattern {
        std::string_view name;
        Span span;
        std::vector<Pattern> parts;
    };
    Pattern pattern();
    Expr* bind(const Pattern&, Type*, Expr* value, uint32_t begin);
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
    bool at_loop_of_sum() const;
    std::string_view projected(uint32_t dot) const;
    bool is_adjacent() const { return cursor_.begin() == cursor_.last_end(); }
    Span from(uint32_t begin) const { return cursor_.span_from(begin); }
    Expr* make(Expr e) { return &program_.exprs.emplace_back(std::move(e)); }
    Expr* broken(std::string_view what) {
        expected(what);
        return make({.kind = Expr::Broken, .span = cursor_.span()});
    }
    Local* local(Span span, std::string_view name) { return &program_.locals.emplace_back(Local{.name = name, .span = span}); }
    /// Reports a size that is wrong, which keeps nothing else from being read and checked.
    template<class Diagnosis>
    Polynomial no_size(const Diagnosis& d, Span span) {
        diags_.report(d, span);
        ++bad_sizes_;
        return types_.size_meta();
    }

    std::string_view text_;
    Program& program_;
    Types& types_;
    std::vector<SizeName> sizes_; ///< of the definition
    size_t bad_sizes_ = 0;
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
    return !has_errors() && diags_.num_errors() == bad_sizes_;
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
    auto before   = bad_sizes_;
    def.is_extern = accept(Extern);
    if (!at(DefWord)) {
        expected("`def`");
        return skip_item();
    }
    next();
    def.name_span = cursor_.span();
    def.name      = take_name();
    sizes_.clear();
    if (accept(LBrace)) def.sizes = in_brackets([&] { return sizes(); }, RBrace);
    if (accept(LParen)) def.parameters = in_brackets([&] { return parameters(); });
    if (accept(Colon)) def.result = type();
    if (!expect(Assign)) return skip_item();
    def.body = block();
    if (bad_sizes_ != before) def.type = types_.broken();
    program_.defs.push_back(std::move(def));
}

const std::vector<SizeName>& Parser::sizes() {
    do {
        auto span = cursor_.span();
        auto name = take_name();
        sizes_.push_back({name, span, types_.size_name(name)});
    } while (at(front::Name));
    return sizes_;
}

/// Names with a type behind them, several times.
std::vector<Local*> Parser::parameters() {
    std::vector<Local*> all;
    do {
        auto first = names(all);
        expect(Colon);
        state_type(all, first);
    } while (accept(Comma));
    return all;
}

/// Adds names; the position of the first one.
size_t Parser::names(std::vector<Local*>& all) {
    auto first = all.size();
    do {
        auto span = cursor_.span();
        all.push_back(local(span, take_name()));
    } while (at(front::Name));
    return first;
}

void Parser::state_type(const std::vector<Local*>& names, size_t first) {
    auto stated = type();
    for (size_t i = first; i != names.size(); ++i) names[i]->type = stated;
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

Type* Parser::type() {
    front::Nesting::Level nest(nesting_);
    if (too_deep()) return types_.broken();
    if (at_size_of_array()) {
        auto length = size();
        expect(DoubleArrow);
        return types_.array(length, type());
    }
    auto first = product();
    return accept(Arrow) ? types_.fun(first, type()) : first;
}

Type* Parser::product() {
    front::Nesting::Level nest(nesting_);
    auto first = atomic_type();
    if (too_deep() || (!accept(Star) && !accept(Times))) return first;
    return types_.pair(first, product());
}

Type* Parser::atomic_type() {
    if (accept(LParen)) return in_brackets([&] { return type(); });
    auto word    = at(front::Name) ? cursor_.word() : std::string_view();
    bool is_type = word == "nat" || word == "flt" || word == "bool" || word == "fin";
    if (!is_type) {
        expected("a type");
        return types_.broken();
    }
    next();
    if (word == "nat") return types_.nat();
    if (word == "flt") return types_.flt();
    return word == "bool" ? types_.boolean() : types_.fin(size_of(&Parser::size_atom));
}

/// Reports an expression that is no size, whatever its names stand for.
Polynomial Parser::size_of(Polynomial (Parser::*part)()) {
    auto begin  = cursor_.begin();
    auto result = (this->*part)();
    auto why    = Types::fault(result);
    if (!why) return result;
    auto span = from(begin);
    return no_size(diag::bad_size(std::string(text_.substr(span.begin, span.end - span.begin)), why), span);
}

Polynomial Parser::size() { return size_of(&Parser::size_sum); }

Polynomial Parser::size_sum() {
    auto sum = size_product();
    while (at(Plus) || at(Minus)) {
        bool is_plus = at(Plus);
        next();
        auto right = size_product();
        sum        = is_plus ? sum + right : sum - right;
    }
    return sum;
}

Polynomial Parser::size_product() {
    auto product = size_atom();
    while (accept(Star) || accept(Times)) product = product * size_atom();
    return product;
}

Polynomial Parser::size_atom() {
    front::Nesting::Level nest(nesting_);
    auto span = cursor_.span();
    auto word = cursor_.word();
    if (too_deep()) return types_.size_meta();
    if (accept(front::Integer)) return size_number(word, span);
    if (accept(front::Name)) return size_name(word, span);
    if (accept(LParen)) return in_brackets([&] { return size_sum(); });
    expected("a size");
    return types_.size_meta();
}

Polynomial Parser::size_number(std::string_view word, Span span) {
    auto n = front::integer_value(word);
    if (n) return Polynomial::number(static_cast<Polynomial::Number>(*n));
    return no_size(diag::bad_size(std::string(word), "it is 2^64 or more"), span);
}

Polynomial Parser::size_name(std::string_view word, Span span) {
    for (auto& size : sizes_)
        if (size.name == word) return Polynomial::variable(size.var);
    return no_size(diag::not_bound(std::string(word), "sizes are numbers and the names in the braces of the definition"), span);
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
    auto parts = in_brackets([&] {
        auto first = pattern();
        expect(Comma);
        return std::vector{first, pattern()};
    });
    return {"_", from(span.begin), parts};
}

/// The parts of a pair are two projections of it. The innermost `let` of those that are made has no body yet.
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

Expr* Parser::function() {
    auto begin = cursor_.begin();
    next();
    std::vector<Local*> all;
    do {
        auto first = names(all);
        if (accept(Colon)) state_type(all, first);
    } while (accept(Comma));
    expect(Dot);
    auto body = expr();
    for (size_t i = all.size(); i-- != 0;) {
        auto at = from(i == 0 ? begin : all[i]->span.begin);
        body    = make({.kind = Expr::Fun, .span = at, .parts = {body}, .binder = all[i]});
    }
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
        if (accept(Colon)) names.back()->type = types_.fin(size());
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
    if (accept(Colon)) index->type = types_.fin(size());
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
    auto result = in_brackets(
        [&] {
            std::vector<Expr*> parts;
            do parts.push_back(has_blocks ? block() : expr());
            while (accept(Comma));
            return parts;
        },
        closer);
    reading = around;
    return result;
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

bool parse(FrontEndContext& c, Program& program, Types& types) { return Parser(c, program, types).file(); }

} // namespace mim::plug::polara
