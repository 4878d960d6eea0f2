// SPDX-License-Identifier: MIT
// Expressions of LC.
#include <algorithm>
#include <utility>

#include "lc_parser.h"

namespace mim::plug::mil {

Expr* LcParser::name(Span place, std::string_view text) {
    auto e  = make(Expr::Name, place);
    e->name = text;
    return e;
}

Expr* LcParser::con(Span place, std::string_view text) {
    auto e  = make(Expr::Con, place);
    e->name = text;
    return e;
}

Expr* LcParser::apply(Expr* f, Expr* a) {
    auto e   = make(Expr::Apply, f->at.join(a->at));
    e->parts = {f, a};
    return e;
}

Expr* LcParser::broken(std::string_view what) {
    expected(what);
    return make(Expr::Broken, here());
}

Expr* LcParser::full() {
    front::Nesting::Level level(nesting_);
    if (too_deep()) return make(Expr::Broken, here());
    auto e = typed();
    if (!accept(Bar)) return e;
    auto other  = full();
    auto both   = make(Expr::Fatbar, e->at.join(other->at));
    both->parts = {e, other};
    return both;
}

Expr* LcParser::typed() {
    auto e = operators();
    if (!accept(Colons)) return e;
    auto t             = type();
    auto result        = make(Expr::Typed, e->at.join(t->at));
    result->parts      = {e};
    result->annotation = t;
    return result;
}

/// Behind the operator, or the last backquote.
std::optional<front::Infix> LcParser::operator_ahead() {
    bool is_named = at(Backquote) && tok(1) == front::Name;
    if (!is_named && !at_operator() && !at(AndAnd) && !at(OrOr)) return {};
    if (is_named) next();
    front::Infix op{cursor_.word(), here(), kWeakest};
    if (auto known = file_.fixities.find(std::string(op.text)); known != file_.fixities.end()) op.fixity = known->second;
    next();
    if (is_named) expect(Backquote);
    return op;
}

Expr* LcParser::combine(const front::Infix& op, Expr* a, Expr* b) {
    bool is_lazy = op.text == "&&" || op.text == "||";
    if (!is_lazy) {
        bool is_con = op.text[0] >= 'A' && op.text[0] <= 'Z';
        auto f      = is_con ? con(op.span, op.text) : name(op.span, op.text);
        return apply(apply(f, a), b);
    }
    auto e   = make(op.text == "&&" ? Expr::And : Expr::Or, a->at.join(b->at));
    e->parts = {a, b};
    return e;
}

Expr* LcParser::operators() {
    front::Nesting::Level level(nesting_);
    if (too_deep()) return make(Expr::Broken, here());
    Chain chain{nullptr, operand(), {}};
    while (auto op = operator_ahead()) chain.rest.push_back({*op, operand()});
    if (chain.rest.empty()) return chain.first;
    chain.whole = make(Expr::Broken, chain.first->at.join(chain.rest.back().right->at));
    chains_.push_back(std::move(chain));
    return chains_.back().whole;
}

bool LcParser::at_atom() const {
    switch (tok()) {
        case front::Name:
        case front::Integer:
        case front::String:
        case Character:
        case LParen:
        case Hash: return true;
        default: return false;
    }
}

Expr* LcParser::operand() {
    if (at_block()) return block_expr();
    auto e = atom();
    while (at_atom()) e = apply(e, atom());
    return at_block() ? apply(e, block_expr()) : e;
}

Expr* LcParser::atom() { return postfix(simple_atom()); }

Expr* LcParser::simple_atom() {
    auto place = here();
    auto word  = cursor_.word();
    if (at(LParen)) return parenthesized();
    if (at(Hash)) return proxy();
    if (at(front::Integer)) {
        auto e  = make(Expr::Word, place);
        e->name = word;
        e->word = integer();
        return e;
    }
    if (at(Character)) {
        auto e  = make(Expr::Word, place);
        e->name = word;
        e->word = cursor_.token().extra;
        next();
        return e;
    }
    if (auto literal = bits()) {
        auto e   = make(Expr::Bits, place);
        e->word  = number_of(*literal);
        e->index = literal->width;
        return e;
    }
    Expr* e = nullptr;
    if (at(front::String)) {
        e       = make(Expr::Text, place);
        e->name = cursor_.tokens().strings[cursor_.token().extra];
    } else if (at(front::Name)) {
        e = at_con() ? con(place, word) : name(place, word);
    } else {
        return broken("an expression");
    }
    next();
    return e;
}

/// `e.f`, `e[f = e|…]` and `C[f = e|…]`
Expr* LcParser::postfix(Expr* e) {
    while (e->kind != Expr::Broken && (at(Dot) || at(LBracket))) e = at(Dot) ? field(e) : fields(e);
    return e;
}

Expr* LcParser::field(Expr* e) {
    next();
    if (!at_variable()) return broken("the name of a field");
    auto word     = variable();
    auto result   = make(Expr::Field, e->at.join(word->at));
    result->parts = {e};
    result->given = {{word->text, word->at}};
    return result;
}

/// A field without a value has that of the variable of its name. Which fields there are is known later.
Expr* LcParser::fields(Expr* e) {
    bool is_con   = e->kind == Expr::Con;
    auto result   = make(is_con ? Expr::Record : Expr::Update, e->at);
    result->name  = e->name;
    result->parts = {e};
    if (is_con) result->parts.clear();
    next();
    bracketed(Bar, RBracket, [&] {
        auto word = variable("the name of a field");
        if (!word) return;
        bool is_memory = accept(LeftArrow);
        bool has_value = is_memory || accept(Equals);
        result->given.push_back({word->text, word->at, 0, is_memory, has_value});
        result->parts.push_back(has_value ? operators() : name(word->at, word->text));
    });
    result->at = from(e->at.begin);
    return result;
}

/// Also tuples, and operators as names.
Expr* LcParser::parenthesized() {
    auto begin       = cursor_.begin();
    bool is_operator = (at_operator(1) || tok(1) == AndAnd || tok(1) == OrOr) && tok(2) == RParen;
    if (is_operator) {
        next();
        auto e = name(here(), cursor_.word());
        next();
        next();
        return e;
    }
    next();
    std::vector<Expr*> parts;
    bracketed(Comma, RParen, [&] { parts.push_back(full()); });
    if (parts.size() == 1) return parts[0];
    auto names = {"Unit", "", "Pair", "Tuple3", "Tuple4"};
    if (parts.size() > 4) diags_.report(diag::not_yet("tuples of more than four parts"), from(begin));
    auto e = con(from(begin), names.begin()[std::min<size_t>(parts.size(), 4)]);
    for (auto part : parts) {
        e     = apply(e, part);
        e->at = from(begin);
    }
    return e;
}

Expr* LcParser::block_expr() {
    switch (tok()) {
        case Lambda: return lambda();
        case Let: return let();
        case If: return choice(false);
        case Case: return cases(false);
        default: next(); return steps();
    }
}

/// `#3`, `#name` or `#"label"`
Expr* LcParser::proxy() {
    auto begin = cursor_.begin();
    next();
    auto e = make(Expr::Proxy, here());
    if (at(front::Integer)) {
        e->word = integer();
    } else if (auto name = label()) {
        e->kind = Expr::Label;
        e->name = *name;
    } else {
        return broken("a number or a label");
    }
    e->at = from(begin);
    return e;
}

Expr* LcParser::lambda() {
    auto e = make(Expr::Lambda, here());
    next();
    e->binds = parameters(RightArrow);
    if (!accept(RightArrow)) return make(Expr::Broken, e->at);
    e->parts = {operators()};
    return e;
}

Expr* LcParser::let() {
    auto e = make(Expr::Let, here());
    next();
    auto scope = definitions(chains_.size());
    if (!expect(In)) return make(Expr::Broken, e->at);
    e->parts = {operators()};
    close_scope(scope);
    e->binds = std::move(scope.binds);
    return e;
}

/// `if<-` and `case<-` run the expression first: then it is a name, and `e` binds it.
Expr* LcParser::run_first(Expr* e, bool has_arrow) {
    auto value = operators();
    if (!has_arrow) return value;
    auto bind = source_.bind("_r", value->at);
    e->steps.push_back({Expr::Bound, bind, value, {}});
    auto result  = name(value->at, bind->name);
    result->bind = bind;
    return result;
}

Expr* LcParser::choice(bool in_do) {
    front::Nesting::Level level(nesting_);
    auto place = here();
    if (too_deep()) return make(Expr::Broken, place);
    next();
    auto around = make(Expr::Do, place);
    bool runs   = in_do && accept(LeftArrow);
    auto e      = make(Expr::If, place);
    e->parts    = {run_first(around, runs)};
    if (!expect(Then)) return make(Expr::Broken, place);
    e->parts.push_back(branch(in_do, false));
    bool has_else = at(Else);
    if (!has_else && !in_do) return broken("`else`");
    if (has_else) next();
    e->parts.push_back(has_else ? branch(in_do, true) : make(Expr::Do, place)); // a `do` without steps is `return Unit`
    e->at = from(place.begin);
    if (!runs) return e;
    around->steps.push_back({Expr::Run, nullptr, e, {}});
    return around;
}

Expr* LcParser::branch(bool in_do, bool is_else) {
    if (!in_do || at(Do)) return operators();
    return is_else && at(If) ? choice(true) : steps();
}

Expr* LcParser::cases(bool in_do) {
    auto place = here();
    next();
    auto around = make(Expr::Do, place);
    bool runs   = in_do && accept(LeftArrow);
    auto e      = make(Expr::Case, place);
    e->parts    = {run_first(around, runs)};
    if (!expect(Of)) return make(Expr::Broken, place);
    block([&] { alternative(e, in_do); });
    if (!runs) return e;
    around->steps.push_back({Expr::Run, nullptr, e, {}});
    return around;
}

void LcParser::alternative(Expr* e, bool in_do) {
    Alternative alt{Alternative::Wildcard, here(), {}};
    if (!pattern(alt) || !expect(RightArrow)) return skip_item();
    alt.body = in_do && !at(Do) ? steps() : operators();
    e->alts.push_back(std::move(alt));
}

bool LcParser::pattern(Alternative& alt) {
    if (accept(Underscore)) return true;
    bool is_tuple = at(LParen) && !at_operator(1);
    if (at_variable()) {
        auto word  = variable();
        alt.kind   = Alternative::Variable;
        alt.fields = {source_.bind(word->text, word->at)};
        return true;
    }
    if (is_tuple) {
        next();
        alt.kind = Alternative::Tuple;
        bracketed(Comma, RParen, [&] { add_parameter(alt.fields); });
        auto names = {"Unit", "Unit", "Pair", "Tuple3", "Tuple4"};
        alt.name   = names.begin()[std::min<size_t>(alt.fields.size(), 4)];
        return true;
    }
    auto word = con_name();
    if (!word) return false;
    alt.kind   = Alternative::Constructor;
    alt.name   = word->text;
    alt.fields = parameters(RightArrow);
    return true;
}

// ---- do
// ---------------------------------------------------------------------------------------------------------------------

Expr* LcParser::steps() {
    front::Nesting::Level level(nesting_);
    auto e = make(Expr::Do, here());
    if (too_deep()) return e;
    auto around = std::exchange(in_steps_, {});
    block([&] { step(e); });
    while (!in_steps_.empty()) { // the last one is the innermost
        close_scope(in_steps_.back());
        in_steps_.pop_back();
    }
    in_steps_      = std::move(around);
    bool ends_well = !e->steps.empty() && e->steps.back().step == Expr::Run;
    if (!ends_well && !has_errors()) expected("an expression at the end of the `do`");
    return e;
}

void LcParser::step(Expr* e) {
    if (at(If)) return e->steps.push_back({Expr::Run, nullptr, choice(true), {}});
    if (at(Case)) return e->steps.push_back({Expr::Run, nullptr, cases(true), {}});
    if (!at(Let)) return bound_step(e);
    auto place = here();
    next();
    auto scope = definitions(chains_.size());
    if (!accept(In)) {
        e->steps.push_back({Expr::Define, nullptr, nullptr, scope.binds});
        return in_steps_.push_back(std::move(scope));
    }
    auto inner   = make(Expr::Let, place);
    inner->binds = scope.binds;
    inner->parts.push_back(at(Do) ? operators() : steps());
    close_scope(scope);
    e->steps.push_back({Expr::Run, nullptr, inner, {}});
}

void LcParser::bound_step(Expr* e) {
    bool binds = (at(Underscore) || at(front::Name)) && tok(1) == LeftArrow;
    if (!binds) return e->steps.push_back({Expr::Run, nullptr, operators(), {}});
    auto bind = parameter();
    next();
    e->steps.push_back({Expr::Bound, bind, operators(), {}});
}

} // namespace mim::plug::mil
