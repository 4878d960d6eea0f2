// SPDX-License-Identifier: MIT
// Declarations and their documentation.
#include <algorithm>

#include "syntax/lexer.h"
#include "syntax/parser.h"

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

} // namespace

bool Parser::starts_decl(uint32_t ahead) const { return tok(ahead) <= Tok::K_plugin; }

/// Declarations up to `end`, `}` or the end of the file.
void Parser::decls(std::vector<const Decl*>& out, bool top) {
    bool joins = std::any_of(out.begin(), out.end(),
                             [](auto* d) { return d->kind == DeclKind::Rec || d->kind == DeclKind::Fun; });
    while (!at(Tok::Eof) && !at(Tok::K_end) && !at(Tok::RBrace)) {
        uint32_t before = pos_;
        if (top) toks_.drop(pos_);
        if (starts_decl()) {
            auto first = static_cast<uint32_t>(module_.arena.block());
            auto* d    = decl(top, joins);
            if (d) out.push_back(d);
            if (d && top) module_.blocks.push_back({first, static_cast<uint32_t>(module_.arena.block())});
            joins |= d && (d->kind == DeclKind::Rec || d->kind == DeclKind::Fun);
        } else {
            expected("a declaration");
            sync();
        }
        if (pos_ == before) next();
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
bool Parser::check_top_level(bool top) {
    auto word = word_of_top_level(tok());
    if (top || word.empty()) return true;
    report(Diag::only_at_top_level, span(), {std::string(word)});
    return false;
}

/// One declaration and its `;`, which may be left out behind `end`. Null if it has no name.
const Decl* Parser::decl(bool top, bool joins) {
    auto text    = doc();
    Span place   = span();
    auto context = std::exchange(context_, decl_context(tok()));
    bool is_and  = accept(Tok::K_and);
    if (is_and && !joins) report(Diag::misplaced_and, place);
    bool is_file     = at(Tok::K_import) || at(Tok::K_plugin);
    bool is_in_place = check_top_level(top);

    Decl* d = nullptr;
    if (!is_and) d = declaration(top);
    else if (at(Tok::K_lam) || at(Tok::K_con) || at(Tok::K_fun)) d = fun(top);
    else d = rec();

    if (!accept(Tok::Semicolon) && last_ != Tok::K_end && !at(Tok::K_and)) end_decl(d, context_);
    context_ = context;
    if (!d || (is_file && !is_in_place)) return nullptr; // any other name may be used all the same
    d->is_and     = is_and;
    d->doc        = text;
    d->span.begin = place.begin;
    if (defines_annex(d)) module_.annexes.push_back(d);
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

/// A declaration without its `;`. At the end of a line it was forgotten; anything else makes the expression before it doubtful.
void Parser::end_decl(Decl* d, std::string_view context) {
    auto value = tail(d);
    bool ends  = starts_decl() || at(Tok::Eof) || at(Tok::RBrace) || at(Tok::K_end);
    if (!d || error_pos_ == pos_ || at(Tok::Error) || last_ == Tok::Error) return sync();
    if ((value && split_line(*value)) || (ends && (at_line_start() || at(Tok::Eof)))) {
        report(Diag::unended, {file_, last_end_, last_end_}, {std::string(context)});
        return;
    }
    expected(describe(Tok::Semicolon));
    if (value && !ends) *value = error();
    sync();
}

Decl* Parser::declaration(bool top) {
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
        default: return ret();
    }
}

Decl* Parser::let() {
    uint32_t first = begin();
    next();
    auto* p = pattern();
    auto* e = expect(Tok::Assign) ? expr() : error();
    return make_decl<Let>(first, p, e);
}

Decl* Parser::rec() {
    uint32_t first = begin();
    accept(Tok::K_rec);
    Binder x         = name_or_annex();
    const Expr* type = accept(Tok::Colon) ? type_before_assign() : nullptr;
    auto* e          = expect(Tok::Assign) ? expr() : error();
    return x.name ? make_decl<Rec>(first, x, type, e) : nullptr;
}

Decl* Parser::fun(bool top) {
    uint32_t first = begin();
    auto form      = at(Tok::K_lam) ? LamForm::Lam : at(Tok::K_con) ? LamForm::Con : LamForm::Fun;
    next();
    bool is_in_place = check_top_level(top);
    bool is_extern   = accept(Tok::K_extern) && is_in_place;
    auto place       = pos_;
    Binder x         = name_or_annex();
    if (!x.name && pos_ == place) return nullptr;
    Function f = function(form); // also behind a keyword as its name
    return x.name ? make_decl<Fun>(first, is_extern, x, f) : nullptr;
}

/// Parameter groups, filter, codomain and body; a `con` has no codomain.
Function Parser::function(LamForm form, std::string_view context) {
    Brackets flags(*this, context);
    Function f{form, groups(), kNoExpr, kNoExpr, kNoExpr};
    if (f.groups.empty()) expected("a parameter");
    if (accept(Tok::At)) {
        in_filter_ = no_ret_ = true;
        f.filter             = expr();
        in_filter_ = no_ret_ = false;
    }
    if (form != LamForm::Con && accept(Tok::Colon)) f.codomain = type_before_assign();
    f.body = expect(Tok::Assign) ? expr() : error();
    return f;
}

/// A subtag may be any word, a keyword too: `%p.q.end` is one token.
SubTag Parser::subtag() {
    std::vector<Binder> names;
    do {
        auto text = text_.substr(begin(), toks_[pos_].end - begin());
        if (text.empty() || !is_letter(text[0])) {
            expected("a subtag");
            break;
        }
        names.push_back({symbols_.intern(text), span()});
        next();
    } while (accept(Tok::Assign));
    return {list(names)};
}

Decl* Parser::axm() {
    uint32_t first = begin();
    next();
    if (!at(Tok::Annex)) {
        expected("an annex");
        return nullptr;
    }
    Binder name     = name_or_annex();
    uint32_t opener = pos_;
    std::vector<SubTag> subs;
    if (accept(Tok::LParen)) {
        while (!at(Tok::RParen)) {
            auto sub = subtag();
            if (!sub.names.empty()) subs.push_back(sub);
            if (!accept(Tok::Comma)) break;
        }
        close(opener, Tok::RParen);
    }
    auto* type = expect(Tok::Colon) ? expr() : error();
    Binder normalizer;
    bool has_curry = false;
    uint64_t curry = 0;
    if (accept(Tok::Comma)) {
        if (!at(Tok::Nat)) {
            normalizer = this->name();
            has_curry  = accept(Tok::Comma);
        } else {
            has_curry = true;
        }
        if (has_curry && at(Tok::Nat)) {
            curry = std::min<uint64_t>(toks_.literal(toks_[pos_]).value, ~uint32_t(0));
            next();
        } else if (has_curry) {
            expected("a curry counter");
        }
    }
    return make_decl<Axm>(first, name, list(subs), type, normalizer, has_curry, static_cast<uint32_t>(curry));
}

Decl* Parser::c_decl() {
    uint32_t first = begin();
    bool is_con    = at(Tok::K_ccon);
    next();
    Binder x = name();
    if (!x.name) return nullptr;
    const Pattern* domain = nullptr;
    if (at(Tok::LParen) || at(Tok::LSquare)) domain = group().pattern;
    else if (starts_atom()) domain = type_domain(extract()).pattern;
    const Expr* type = nullptr;
    if (!is_con && !domain) expected("a domain");
    if ((!is_con || !domain) && expect(Tok::Colon)) type = expr();
    if (!type && (!is_con || !domain)) type = error();
    return make_decl<CDecl>(first, is_con, x, domain, type);
}

Decl* Parser::rule() {
    uint32_t first = begin();
    bool is_norm   = at(Tok::K_norm);
    next();
    Binder x = name_or_annex();
    if (!x.name) return nullptr;
    auto params      = groups();
    auto* lhs        = expect(Tok::Colon) ? expr() : error();
    const Expr* cond = accept(Tok::K_when) ? expr() : nullptr;
    auto* rhs        = expect(Tok::FatArrow) ? expr() : error();
    return make_decl<Rule>(first, is_norm, x, params, lhs, cond, rhs);
}

Decl* Parser::import() {
    uint32_t first = begin();
    next();
    if (!at(Tok::String)) {
        if (auto end = at(Tok::Ident) ? dotted() : pos_; end != pos_) {
            auto file = std::string(text_.substr(begin(), toks_[end - 1].end - begin()));
            report(Diag::expected_token, {file_, begin(), toks_[end - 1].end},
                   {"`\"" + file + "\"`", "`" + file + "`", "an `import`"});
            skip_dotted(end);
            return nullptr;
        }
        Binder path = name();
        return path.name ? make_decl<Import>(first, path, false) : nullptr;
    }
    Literal lit = toks_.literal(toks_[pos_]);
    Binder path{symbols_.intern(toks_.bytes(lit)), span()};
    next();
    return make_decl<Import>(first, path, true);
}

Decl* Parser::plugin() {
    uint32_t first = begin();
    next();
    Binder x{at(Tok::String) ? symbols_.intern(toks_.bytes(toks_.literal(toks_[pos_]))) : Symbol(), span()};
    if (x.name) expected("a name"), next(); // it is clear what is meant
    else x = name();
    return x.name ? make_decl<Plugin>(first, x) : nullptr;
}

/// `ret p = f $ a`
Decl* Parser::ret() {
    uint32_t first = begin();
    next();
    auto* p      = pattern();
    auto* callee = expect(Tok::Assign) ? expr() : error();
    auto call    = isa<App>(callee);
    if (call && at(Tok::Semicolon)) { // `f a` instead of `f $ a`
        auto& at = call->arg->span;
        report(Diag::expected_token, {file_, at.begin, at.begin + 1},
               {"`$`", "`" + std::string(1, text_[at.begin]) + "`", "a `ret`"});
        return make_decl<Ret>(first, p, call->callee, call->arg);
    }
    auto* arg = expect(Tok::Dollar) ? expr() : error();
    return make_decl<Ret>(first, p, callee, arg);
}

namespace {

size_t newlines(std::string_view s) { return static_cast<size_t>(std::count(s.begin(), s.end(), '\n')); }

std::string join_docs(std::string_view text, const Comment* begin, const Comment* end) {
    std::string all;
    for (auto* c = begin; c != end; ++c) {
        auto line = text.substr(c->begin + 3, c->end - c->begin - 3);
        if (!line.empty() && line[0] == ' ') line.remove_prefix(1);
        if (c != begin) all += '\n';
        all += line;
    }
    return all;
}

} // namespace

/// The `///` lines right above the declaration that starts here.
std::string_view Parser::doc() {
    const auto& cs = toks_.comments();
    while (doc_ < cs.size() && cs[doc_].token < pos_) ++doc_;
    uint32_t end = doc_;
    while (end < cs.size() && cs[end].token == pos_) ++end;
    uint32_t first = end, limit = begin();
    while (first > doc_) {
        const Comment& c = cs[first - 1];
        if (c.kind != Comment::Doc || !c.own_line || newlines(text_.substr(c.end, limit - c.end)) > 1) break;
        limit = cs[--first].begin;
    }
    return module_.arena.text(join_docs(text_, cs.data() + first, cs.data() + end));
}

/// The `///` lines that open the file, when a blank line sets them off.
void Parser::module_doc() {
    const auto& cs = toks_.comments();
    uint32_t n     = 0;
    while (n < cs.size() && cs[n].kind == Comment::Doc && cs[n].token == 0
           && (n == 0 || newlines(text_.substr(cs[n - 1].end, cs[n].begin - cs[n - 1].end)) <= 1))
        ++n;
    if (n == 0) return;
    uint32_t limit = n < cs.size() && cs[n].token == 0 ? cs[n].begin : begin();
    if (at(Tok::Eof) || newlines(text_.substr(cs[n - 1].end, limit - cs[n - 1].end)) > 1)
        module_.doc = module_.arena.text(join_docs(text_, cs.data(), cs.data() + n));
}

} // namespace mim
