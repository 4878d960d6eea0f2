// SPDX-License-Identifier: MIT
// The text of LC to trees.
#include <algorithm>

#include "mil/diagnostics.h"
#include "reader.h"

namespace mim::plug::mil {

namespace {

/// Operators without a fixity, names in backquotes, `&&` and `||`.
constexpr front::Fixity kWeakest{front::Fixity::Right, -1};

bool is_all_of(std::string_view digits, std::string_view allowed) {
    return !digits.empty() && digits[0] != '_' && digits.find_first_not_of(allowed) == digits.npos;
}

/// `B01`, `O17`, `Xff_00`
bool is_bit_literal(std::string_view word) {
    auto digits = word.substr(1);
    return (word[0] == 'B' && is_all_of(digits, "01_")) || (word[0] == 'O' && is_all_of(digits, "01234567_"))
           || (word[0] == 'X' && is_all_of(digits, "0123456789abcdefABCDEF_"));
}

class LcParser : Reader {
public:
    LcParser(Reading& r, File& file, std::string_view text)
        : Reader(r, file, text) {}

    void file();

private:
    using Binds = std::vector<Bind*>;

    void definition(Binds& binds, bool is_top);
    void signature(Word first);
    void equation(Binds& binds, Word name, Binds params, bool is_top);
    void infix_equation(Binds& binds, Word left, bool is_top);
    Binds parameters(front::Kind end);
    Bind* parameter();
    void attach(Binds& binds, size_t first_signature);
    Expr* with_where(Expr* body);
    Binds definitions();

    Expr* full();
    Expr* typed();
    Expr* operators();
    Expr* operand();
    Expr* atom();
    Expr* parenthesized();
    Expr* block_expr();
    Expr* lambda();
    Expr* let();
    Expr* choice(bool in_do);
    Expr* branch(bool in_do, bool is_else);
    Expr* cases(bool in_do);
    void alternative(Expr* e, bool in_do);
    bool pattern(Alternative& alt);
    Expr* steps();
    void step(Expr* e);
    void bound_step(Expr* e);
    Expr* run_first(Expr* e, bool has_arrow);

    bool at_atom() const;
    bool at_block() const { return at(Lambda) || at(Let) || at(If) || at(Case) || at(Do); }
    std::optional<front::Infix> operator_ahead();
    Expr* combine(const front::Infix& op, Expr* a, Expr* b);
    Expr* make(Expr::Kind kind, Span place) { return source_.expr({.kind = kind, .at = place}); }
    Expr* name(Span place, std::string_view text);
    Expr* con(Span place, std::string_view text);
    Expr* apply(Expr* f, Expr* a);
    Expr* broken(std::string_view what);
    Span from(uint32_t begin) const { return cursor_.span_from(begin); }
};

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

// ---- definitions
// ------------------------------------------------------------------------------------------------------------

void LcParser::file() {
    auto lines = cursor_.open(1);
    while (!at(front::Close)) {
        if (accept(front::Item) || accept(Semicolon)) continue;
        reading = "a definition";
        if (!declaration()) definition(file_.order, true);
        if (!at_item_end() && !at(Semicolon)) {
            expected("the end of the definition");
            skip_item();
        }
    }
    attach(file_.order, 0);
    reading_.is_cut |= has_errors();
}

/// Signatures belong to definitions of the same block.
void LcParser::attach(Binds& binds, size_t first_signature) {
    for (size_t i = first_signature; i != signatures_.size(); ++i) {
        auto& [word, type, kind] = signatures_[i];
        auto found               = std::ranges::find_if(binds, [&](auto b) { return b->name == word.text; });
        if (found == binds.end()) diags_.report(diag::undefined(word.text), word.at);
        else if ((*found)->signature) report_twice(diags_, word.text, word.at, (*found)->at);
        else (*found)->signature = type;
    }
    signatures_.resize(first_signature);
}

void LcParser::definition(Binds& binds, bool is_top) {
    if (!at_variable()) {
        expected("a definition");
        return skip_item();
    }
    auto word = variable();
    if (at(Comma) || at(Colons)) return signature(*word);
    if (at_operator() || at(Backquote)) return infix_equation(binds, *word, is_top);
    equation(binds, *word, parameters(Equals), is_top);
}

void LcParser::signature(Word first) {
    std::vector<Word> names{first};
    while (accept(Comma)) {
        auto word = variable();
        if (!word) return skip_item();
        names.push_back(*word);
    }
    if (!expect(Colons)) return skip_item();
    auto t = type();
    for (auto& word : names) signatures_.push_back({word, t});
}

Bind* LcParser::parameter() {
    if (accept(Underscore)) return nullptr;
    auto word = variable("a parameter");
    return word ? source_.bind(word->text, word->at) : nullptr;
}

LcParser::Binds LcParser::parameters(front::Kind end) {
    Binds all;
    while (at_variable() || at(Underscore)) {
        auto p = parameter();
        if (p)
            for (auto other : all)
                if (other && other->name == p->name) report_twice(diags_, p->name, p->at, other->at);
        all.push_back(p);
    }
    if (!at(end)) expected(end == Equals ? "a parameter or `=`" : "a parameter or `->`");
    return all;
}

void LcParser::infix_equation(Binds& binds, Word left, bool is_top) {
    bool is_named = accept(Backquote);
    Word op{std::string(cursor_.word()), here()};
    next();
    if (is_named) expect(Backquote);
    auto first  = source_.bind(left.text, left.at);
    auto second = parameter();
    if (second && second->name == first->name) report_twice(diags_, second->name, second->at, first->at);
    equation(binds, op, {first, second}, is_top);
}

void LcParser::equation(Binds& binds, Word word, Binds params, bool is_top) {
    if (!expect(Equals)) return skip_item();
    auto value = with_where(full());
    if (!params.empty()) {
        auto lambda   = make(Expr::Lambda, word.at);
        lambda->binds = std::move(params);
        lambda->parts = {value};
        value         = lambda;
    }
    auto before = std::ranges::find_if(binds, [&](auto b) { return b->name == word.text; });
    if (before != binds.end()) return report_twice(diags_, word.text, word.at, (*before)->at);
    auto bind    = source_.bind(word.text, word.at);
    bind->value  = value;
    bind->is_top = is_top;
    binds.push_back(bind);
    if (is_top) file_.values[word.text] = bind;
}

Expr* LcParser::with_where(Expr* body) {
    if (!accept(Where)) return body;
    auto e   = make(Expr::Let, body->at);
    e->binds = definitions();
    e->parts = {body};
    return e;
}

LcParser::Binds LcParser::definitions() {
    Binds binds;
    auto before = signatures_.size();
    block([&] {
        if (at(InfixWord) || at(InfixL) || at(InfixR)) return not_yet("fixities of local operators", here());
        definition(binds, false);
    });
    attach(binds, before);
    return binds;
}

// ---- expressions
// ------------------------------------------------------------------------------------------------------------

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
    auto both = [&](const front::Infix& op, Expr* a, Expr* b) { return combine(op, a, b); };
    front::Infixes<Expr*> all(operand());
    while (auto op = operator_ahead()) {
        auto clash = all.add(*op, operand(), both);
        if (clash) ambiguous(*clash, *op);
    }
    return all.finish(both);
}

bool LcParser::at_atom() const {
    switch (tok()) {
        case front::Name:
        case front::Integer:
        case front::String:
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

Expr* LcParser::atom() {
    auto place = here();
    auto word  = cursor_.word();
    if (at(LParen)) return parenthesized();
    if (at(Hash)) {
        next();
        next();
        diags_.report(diag::not_yet("proxies"), place);
        return make(Expr::Broken, place);
    }
    Expr* e = nullptr;
    if (at(front::Integer)) {
        e          = make(Expr::Word, place);
        e->name    = word;
        auto value = front::integer_value(word);
        if (!value) diags_.report(diag::too_large(std::string(word), 64), place);
        e->word = value.value_or(0);
    } else if (at(front::String)) {
        e       = make(Expr::Text, place);
        e->name = cursor_.tokens().strings[cursor_.token().extra];
    } else if (at_con() && is_bit_literal(word)) {
        diags_.report(diag::not_yet("literals of bits"), place);
        e = make(Expr::Broken, place);
    } else if (at(front::Name)) {
        e = at_con() ? con(place, word) : name(place, word);
    } else {
        return broken("an expression");
    }
    next();
    if (!at(Dot) && !at(LBracket)) return e;
    diags_.report(diag::not_yet(at(Dot) ? "fields" : "expressions in square brackets"), here());
    skip_item();
    return make(Expr::Broken, place);
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
    e->binds = definitions();
    if (!expect(In)) return make(Expr::Broken, e->at);
    e->parts = {operators()};
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
        bracketed(Comma, RParen, [&] { alt.fields.push_back(parameter()); });
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
    block([&] { step(e); });
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
    auto binds = definitions();
    if (!accept(In)) return e->steps.push_back({Expr::Define, nullptr, nullptr, std::move(binds)});
    auto inner   = make(Expr::Let, place);
    inner->binds = std::move(binds);
    inner->parts.push_back(at(Do) ? operators() : steps());
    e->steps.push_back({Expr::Run, nullptr, inner, {}});
}

void LcParser::bound_step(Expr* e) {
    bool binds = (at(Underscore) || at(front::Name)) && tok(1) == LeftArrow;
    if (!binds) return e->steps.push_back({Expr::Run, nullptr, operators(), {}});
    auto bind = parameter();
    next();
    e->steps.push_back({Expr::Bound, bind, operators(), {}});
}

} // namespace

void read_lc(Reading& r, File& file) { LcParser(r, file, r.context.diags.sources().text(file.id)).file(); }

} // namespace mim::plug::mil
