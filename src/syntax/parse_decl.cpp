// SPDX-License-Identifier: MIT
#include "syntax/parse_decl.h"

#include <algorithm>

#include "syntax/foreign_words.h"
#include "syntax/lexer.h"
#include "syntax/parse_atom.h"
#include "syntax/parse_expr.h"
#include "syntax/parse_pattern.h"
#include "syntax/parse_type.h"

namespace mim {

using namespace ast;

namespace {

constexpr const Expr* kNoExpr = nullptr;

std::string_view decl_context(Tok t) {
    switch (t) {
        case Tok::K_let: return "a `let`";
        case Tok::K_axm: return "an `axm`";
        case Tok::K_ccon: return "a `ccon`";
        case Tok::K_cfun: return "a `cfun`";
        case Tok::K_rule: return "a `rule`";
        case Tok::K_norm: return "a `norm`";
        case Tok::K_import: return "an `import`";
        case Tok::K_plugin: return "a `plugin`";
        case Tok::K_lam:
        case Tok::K_con:
        case Tok::K_fun: return "a function";
        case Tok::K_rec:
        case Tok::K_and: return "a recursive declaration";
        default: return "a `ret`";
    }
}

/// How many operands a group of an `op` has.
size_t num_operands(const Pattern* p) {
    auto* tuple = isa<TuplePattern>(p);
    if (!tuple || tuple->type) return 1;
    size_t n = 0;
    for (auto* elem : tuple->elems) {
        auto* group = isa<GroupPattern>(elem);
        n += group ? group->names.size() : 1;
    }
    return n;
}

} // namespace

void DeclParser::decls(std::vector<const Decl*>& out, bool top) {
    bool joins = std::any_of(out.begin(), out.end(),
                             [](auto* d) { return d->kind == DeclKind::Rec || d->kind == DeclKind::Fun; });
    while (!at(Tok::Eof) && !at(Tok::K_end) && !at(Tok::RBrace)) {
        uint32_t before = cursor_.pos();
        if (top) cursor_.tokens().drop(cursor_.pos());
        if (accept(Tok::Semicolon)) continue; // an empty declaration is none
        auto first    = static_cast<uint32_t>(tree_.module().arena.block());
        const Decl* d = nullptr;
        if (look_.starts_decl()) {
            auto place = cursor_.begin();
            auto count = errors_.count();
            d          = decl(top, joins);
            if (top) errors_.end_decl(place, count);
        } else {
            auto error_here = errors_.expected("a declaration");
            d               = foreign_let();
            if (!d && error_here && top) hint_statements(*error_here, out);
            if (!d) errors_.sync();
        }
        if (d) out.push_back(d);
        if (d && top) tree_.module().blocks.push_back({first, static_cast<uint32_t>(tree_.module().arena.block())});
        joins |= d && (d->kind == DeclKind::Rec || d->kind == DeclKind::Fun);
        if (cursor_.pos() == before) next();
    }
}

void DeclParser::statements(std::vector<const Decl*>& out, Span bare) {
    bool joins = false;
    while (look_.starts_statement()) {
        Brackets flags(context_, bare);
        if (auto* d = decl(false, joins)) {
            out.push_back(d);
            joins |= d->kind == DeclKind::Rec || d->kind == DeclKind::Fun;
        }
        while (accept(Tok::Semicolon)) {} // empty ones
    }
}

/// An annex exists once in the program, so what defines one is found wherever it stands.
static bool defines_annex(const Decl* d) {
    bool res = d->kind == DeclKind::Axm;
    each_name(d, [&](const Binder& name) { res |= is_annex(name.name); });
    return res;
}

/// The word of a declaration that stands at the top level only; empty for any other token.
static std::string_view word_of_top_level(Tok t) {
    switch (t) {
        case Tok::K_import: return "import";
        case Tok::K_plugin: return "plugin";
        case Tok::K_extern: return "extern";
        case Tok::K_ccon: return "ccon";
        case Tok::K_cfun: return "cfun";
        default: return {};
    }
}

/// False if the current token belongs to the top level, but the declaration does not stand there, which is reported.
bool DeclParser::check_top_level(bool top) {
    auto word = word_of_top_level(tok());
    if (top || word.empty()) return true;
    auto d = errors_.report(Diag::only_at_top_level, cursor_.span(), {std::string(word)});
    if (d && context_.statements) d->note(Diag::part_of_expression, context_.statements);
    if (d) errors_.note_open_block(*d);
    return false;
}

const Decl* DeclParser::decl(bool top, bool joins) {
    auto text    = docs_.of_decl();
    Span place   = cursor_.span();
    auto context = std::exchange(context_.name, look_.is_op(0) ? "an `op`" : decl_context(tok()));
    bool is_and  = accept(Tok::K_and);
    if (is_and && !joins) errors_.report(Diag::misplaced_and, place);
    bool is_file     = at(Tok::K_import) || at(Tok::K_plugin);
    bool is_in_place = check_top_level(top);

    Decl* d = nullptr;
    if (!is_and) d = declaration(top);
    else if (at(Tok::K_lam) || at(Tok::K_con) || at(Tok::K_fun)) d = fun(top);
    else d = rec();

    bool ends = accept(Tok::Semicolon) || cursor_.last() == Tok::K_end || at(Tok::K_end) || at(Tok::K_and);
    if (!ends) end_decl(d, context_.name);
    context_.name = context;
    if (!d || (is_file && !is_in_place)) return nullptr; // any other name may be used all the same
    d->is_and     = is_and;
    d->doc        = text;
    d->span.begin = place.begin;
    if (defines_annex(d)) tree_.module().annexes.push_back(d);
    return d;
}

/// The expression that a declaration ends with, or null.
static const Expr** tail(Decl* d) {
    if (!d) return nullptr;
    switch (d->kind) {
        case DeclKind::Let: return &static_cast<Let*>(d)->value;
        case DeclKind::Rec: return &static_cast<Rec*>(d)->value;
        case DeclKind::Fun: return &static_cast<Fun*>(d)->fun.body;
        case DeclKind::Ret: return &static_cast<Ret*>(d)->arg;
        default: return nullptr;
    }
}

std::string DeclParser::text(const Expr* e) const { return errors_.text(e->span); }

/// A file continues with an expression behind a function: its body was meant to have several statements. Nobody knows
/// its value and the other statements, so this is the only error.
void DeclParser::hint_statements(Diagnostic& d, const std::vector<const Decl*>& before) {
    auto fun = before.empty() ? nullptr : isa<Fun>(before.back());
    if (!fun || !d.notes.empty() || cursor_.last() != Tok::Semicolon || !look_.starts_atom()) return;
    auto value = fun->fun.body;
    while (auto block = isa<Block>(value)) value = block->body;
    d.note(Diag::bind_in_block, value->span, {errors_.bindings_text(value)});
    errors_.mute(fun->span);
    while (!at(Tok::Eof) && !look_.starts_decl()) {
        auto place = cursor_.pos();
        errors_.sync();
        if (cursor_.pos() == place) next();
    }
}

/// A declaration without its `;`. At the end of a line it was forgotten; anything else makes the expression before it
/// doubtful.
void DeclParser::end_decl(Decl* d, std::string_view context) {
    auto value = tail(d);
    bool ends  = look_.starts_decl() || at(Tok::Eof) || at(Tok::RBrace) || at(Tok::K_end);
    if (!d || errors_.is_marked() || errors_.is_at_lex_error()) return errors_.sync();
    if ((value && g_.exprs.split_line(*value)) || (ends && (cursor_.at_line_start() || at(Tok::Eof)))) {
        errors_.report(Diag::unended, {cursor_.file(), cursor_.last_end(), cursor_.last_end()}, {std::string(context)});
        return;
    }
    auto line = at(Tok::Assign) ? errors_.line_without_end(d->span.begin) : kNone;
    if (line != kNone) { // of a `ret`, whose word is read as an argument
        errors_.report_unended(line);
        if (value) *value = error();
        return cursor_.move_back(line, cursor_.tokens()[line - 1].end);
    }
    auto error_here = errors_.expected(describe(Tok::Semicolon));
    if (error_here && value && at(Tok::Dollar)) error_here->note(Diag::call_with_ret, {}, {text(*value), "…"});
    if (value && !ends) *value = error();
    errors_.sync();
}

/// The expression behind a token that must be there.
const Expr* DeclParser::value_behind(Tok t) { return expect(t) ? g_.exprs.expr() : error(); }

/// The value of a `let` or a `rec`, which may be a union with labels.
const Expr* DeclParser::definition() {
    if (!expect(Tok::Assign)) return error();
    return at(Tok::Bar) ? g_.types.labels() : g_.exprs.expr();
}

/// The body of a function, which is no union with labels: those need a name of their own.
const Expr* DeclParser::function_body(uint32_t head) {
    if (!expect(Tok::Assign)) return error();
    if (!at(Tok::Bar)) return g_.exprs.expr();
    auto text = head == kNone ? std::string_view() : cursor_.text(head, cursor_.last_end());
    if (text.ends_with('=')) text = text.substr(0, text.find_last_not_of(" =") + 1);
    auto d = errors_.report(Diag::misplaced_labels, cursor_.span());
    if (d && !text.empty()) d->note(Diag::declare_labels, {}, {std::string(text)});
    g_.types.labels();
    return error();
}

Decl* DeclParser::declaration(bool top) {
    switch (tok()) {
        case Tok::K_let: return let();
        case Tok::K_rec: return rec();
        case Tok::K_lam:
        case Tok::K_con:
        case Tok::K_fun: return fun(top);
        case Tok::K_axm: return axm();
        case Tok::K_ccon:
        case Tok::K_cfun: return c_decl();
        case Tok::K_rule:
        case Tok::K_norm: return rule();
        case Tok::K_import: return import();
        case Tok::K_plugin: return plugin();
        default: return look_.is_op(0) ? op() : ret();
    }
}

/// `op + d…d [@f] [: T] = e`
Decl* DeclParser::op() {
    uint32_t first = begin();
    next();
    Binder op      = take_name();
    uint32_t start = begin();
    Function f     = function(LamForm::Lam, "an `op`");
    auto* lam      = make<Lam>(start, f);
    if (f.groups.empty() || !check_operands(op, f.groups)) return nullptr;
    auto* operands = f.groups[f.groups.size() - 1].pattern;
    return make_decl<Op>(first, op, num_operands(operands) == 1, lam);
}

/// False after a report: the operator has not these operands.
bool DeclParser::check_operands(const Binder& op, const List<Group>& groups) {
    auto wrong = [&](const Pattern* place, std::string why) {
        errors_.report(Diag::bad_operator, place->span, {"op " + op.name.str(), std::move(why)});
        return false;
    };
    auto& last       = groups[groups.size() - 1];
    auto is_explicit = [&](auto& group) { return &group != &last && !group.implicit; };
    auto other       = std::ranges::find_if(groups, is_explicit);
    auto n           = num_operands(last.pattern);
    auto text        = op.name.view();
    bool is_prefix   = n == 1 && (text == "!" || text == "-");
    bool is_infix    = n == 2 && text != "!";
    if (other != groups.end()) return wrong(other->pattern, "a group before that of the operands is implicit, as in `{s: Nat}`");
    if (last.implicit) return wrong(last.pattern, "the last group has its operands, which are explicit, as in `(a b: T)`");
    if (is_prefix || is_infix) return true;
    if (n == 1) return wrong(last.pattern, "it stands between two operands, as in `(a b: T)`");
    if (n == 2) return wrong(last.pattern, "`!` stands in front of one operand, as in `(a: T)`");
    return wrong(last.pattern, "an operator has one operand or two");
}

/// `const x = e`, which was reported, declares x for all that follows; null if the text is something else.
const Decl* DeclParser::foreign_let() {
    bool is_let = at(Tok::Ident) && is_foreign_let(cursor_.word()) && tok(1) == Tok::Ident
                  && (tok(2) == Tok::Assign || tok(2) == Tok::Colon);
    if (!is_let) return nullptr;
    auto d = let();
    if (!accept(Tok::Semicolon)) errors_.sync();
    return d;
}

Decl* DeclParser::let() {
    uint32_t first = begin();
    next();
    auto* p = g_.patterns.pattern();
    auto* e = definition();
    return make_decl<Let>(first, p, e);
}

Decl* DeclParser::rec() {
    uint32_t first = begin();
    accept(Tok::K_rec);
    Binder x         = g_.patterns.name_or_annex();
    auto groups      = g_.patterns.groups();
    const Expr* type = accept(Tok::Colon) ? g_.patterns.type_before_assign() : nullptr;
    auto* e          = definition();
    return x.name ? make_decl<Rec>(first, x, groups, type, e) : nullptr;
}

Decl* DeclParser::fun(bool top) {
    uint32_t first = begin();
    auto form      = at(Tok::K_lam) ? LamForm::Lam : at(Tok::K_con) ? LamForm::Con : LamForm::Fun;
    next();
    bool is_in_place = check_top_level(top);
    bool is_extern   = accept(Tok::K_extern) && is_in_place;
    auto place       = cursor_.pos();
    Binder x         = g_.patterns.name_or_annex();
    if (!x.name && cursor_.pos() == place) return nullptr;
    Function f = function(form, "a function", x.span.begin); // also behind a keyword as its name
    return x.name ? make_decl<Fun>(first, is_extern, x, f) : nullptr;
}

Function DeclParser::function(LamForm form, std::string_view context, uint32_t head) {
    Brackets flags(context_, context);
    flags.stay_in_pack();
    Function f{form, g_.patterns.groups(), kNoExpr, kNoExpr, kNoExpr};
    if (f.groups.empty()) expected("a parameter");
    if (accept(Tok::At)) {
        context_.in_filter = context_.no_ret = true;
        f.filter                             = g_.exprs.expr();
        context_.in_filter = context_.no_ret = false;
    }
    if (form != LamForm::Con && accept(Tok::Colon)) f.codomain = g_.patterns.type_before_assign();
    f.body = function_body(head);
    return f;
}

/// A subtag may be any word, a keyword too: `%p.q.end` is one token.
SubTag DeclParser::subtag() {
    std::vector<Binder> names;
    do {
        auto text = cursor_.word();
        if (text.empty() || !is_letter(text[0])) {
            expected("a subtag");
            break;
        }
        names.push_back({tree_.intern(text), tree_.place()});
        next();
    } while (accept(Tok::Assign));
    return {list(names)};
}

/// `(a, b = c)`, or nothing.
List<SubTag> DeclParser::subtags() {
    uint32_t opener = cursor_.pos();
    std::vector<SubTag> subs;
    if (!accept(Tok::LParen)) return list(subs);
    while (!at(Tok::RParen)) {
        auto sub = subtag();
        if (!sub.names.empty()) subs.push_back(sub);
        if (!accept(Tok::Comma)) break;
    }
    close(opener, Tok::RParen);
    return list(subs);
}

struct DeclParser::Normalizer {
    Binder name    = {};
    bool has_curry = false;
    uint32_t curry = 0;
};

/// `, normalizer, 2`, each of which may be left out.
DeclParser::Normalizer DeclParser::normalizer() {
    Normalizer res;
    if (!accept(Tok::Comma)) return res;
    res.has_curry = at(Tok::Nat);
    if (!res.has_curry) {
        res.name      = g_.patterns.name();
        res.has_curry = accept(Tok::Comma);
    }
    if (!res.has_curry) return res;
    if (!at(Tok::Nat)) {
        expected("a curry counter");
        return res;
    }
    res.curry = static_cast<uint32_t>(std::min<uint64_t>(cursor_.literal().value, ~uint32_t(0)));
    next();
    return res;
}

Decl* DeclParser::axm() {
    uint32_t first = begin();
    next();
    if (!at(Tok::Annex)) return axm_without_percent(first);
    Binder name = g_.patterns.name_or_annex();
    auto subs   = subtags();
    auto* type  = value_behind(Tok::Colon);
    auto norm   = normalizer();
    return make_decl<Axm>(first, name, subs, type, norm.name, norm.has_curry, norm.curry);
}

/// `axm foo: T`. The name is bound, so that its uses have no further errors.
Decl* DeclParser::axm_without_percent(uint32_t first) {
    auto end  = at(Tok::Ident) ? look_.dotted() : cursor_.pos();
    auto word = std::string(cursor_.word());
    if (end != cursor_.pos()) return g_.atoms.dotted_name(end), nullptr;
    auto d = errors_.expected("an annex");
    if (!at(Tok::Ident)) return nullptr;
    if (d) d->note(Diag::annex_of_plugin_first, {}, {word});
    auto* name = make<NamePattern>(begin(), take_name(), kNoExpr);
    errors_.mark();
    return make_decl<Let>(first, static_cast<const Pattern*>(name), error());
}

Decl* DeclParser::c_decl() {
    uint32_t first = begin();
    bool is_con    = at(Tok::K_ccon);
    next();
    Binder x = g_.patterns.name();
    if (!x.name) return nullptr;
    const Pattern* domain = nullptr;
    auto domain_begin     = begin();
    if (at(Tok::LParen) || at(Tok::LSquare)) domain = g_.patterns.group().pattern;
    else if (look_.starts_atom()) domain = g_.types.type_domain(g_.exprs.extract()).pattern;
    if (domain && isa<NamePattern>(domain)) domain = g_.types.square(domain_begin, domain); // `(x: T)` is `[x: T]`
    const Expr* type = nullptr;
    if (!is_con && !domain) expected("a domain");
    if ((!is_con || !domain) && expect(Tok::Colon)) type = g_.exprs.expr();
    if (!type && (!is_con || !domain)) type = error();
    return make_decl<CDecl>(first, is_con, x, domain, type);
}

Decl* DeclParser::rule() {
    uint32_t first = begin();
    bool is_norm   = at(Tok::K_norm);
    next();
    Binder x = g_.patterns.name_or_annex();
    if (!x.name) return nullptr;
    auto params      = g_.patterns.groups();
    auto* lhs        = value_behind(Tok::Colon);
    const Expr* cond = accept(Tok::K_when) ? g_.exprs.expr() : nullptr;
    auto* rhs        = value_behind(Tok::FatArrow);
    return make_decl<Rule>(first, is_norm, x, params, lhs, cond, rhs);
}

Decl* DeclParser::import() {
    uint32_t first = begin();
    next();
    if (!at(Tok::String)) {
        if (auto end = at(Tok::Ident) ? look_.dotted() : cursor_.pos(); end != cursor_.pos()) {
            auto file = std::string(cursor_.text(begin(), cursor_.tokens()[end - 1].end));
            errors_.report(Diag::expected_token, {cursor_.file(), begin(), cursor_.tokens()[end - 1].end},
                           {"`\"" + file + "\"`", "`" + file + "`", "an `import`"});
            g_.atoms.skip_dotted(end);
            return nullptr;
        }
        Binder path = g_.patterns.name();
        return path.name ? make_decl<Import>(first, path, false) : nullptr;
    }
    Literal lit = cursor_.literal();
    Binder path{tree_.intern(cursor_.tokens().bytes(lit)), tree_.place()};
    next();
    return make_decl<Import>(first, path, true);
}

Decl* DeclParser::plugin() {
    uint32_t first = begin();
    next();
    Binder x{at(Tok::String) ? tree_.intern(cursor_.tokens().bytes(cursor_.literal())) : Symbol(), tree_.place()};
    if (x.name) expected("a name"), next(); // it is clear what is meant
    else x = g_.patterns.name();
    return x.name ? make_decl<Plugin>(first, x) : nullptr;
}

/// `ret p = f $ a`
Decl* DeclParser::ret() {
    uint32_t first = begin();
    next();
    auto* p      = g_.patterns.pattern();
    auto* callee = value_behind(Tok::Assign);
    auto call    = isa<App>(callee);
    if (call && at(Tok::Semicolon)) { // `f a` instead of `f $ a`
        auto token = cursor_.pos();
        while (cursor_.tokens()[token].begin > call->arg->span.begin) --token;
        Span place{cursor_.file(), cursor_.tokens()[token].begin, cursor_.tokens()[token].end};
        auto seen = "`" + std::string(cursor_.text(place.begin, place.end)) + "`";
        auto d    = errors_.report(Diag::expected_token, place, {"`$`", seen, "a `ret`"});
        if (d) d->note(Diag::call_with_ret, {}, {text(call->callee), text(call->arg)});
        return make_decl<Ret>(first, p, call->callee, call->arg);
    }
    auto* arg = value_behind(Tok::Dollar);
    return make_decl<Ret>(first, p, callee, arg);
}

} // namespace mim
