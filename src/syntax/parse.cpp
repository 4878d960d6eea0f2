// SPDX-License-Identifier: MIT
// The parser's ground: tokens, errors, recovery, names, and the entry points.
#include "syntax/parse.h"

#include <algorithm>

#include "base/stack.h"
#include "syntax/parser.h"

namespace mim {

using namespace ast;

void Parser::next() {
    last_     = tok();
    last_end_ = toks_[pos_].end;
    if (last_ != Tok::Eof) ++pos_;
}

bool Parser::accept(Tok t) {
    if (!at(t)) return false;
    next();
    return true;
}

/// Takes the first half of `>>`, if that is the next token.
bool Parser::split_closer() {
    Token& cur = toks_[pos_];
    if (cur.tok != Tok::RArray || cur.end - cur.begin != 2 || text_[cur.begin] != '>') return false;
    cur.tok   = Tok::RPack;
    last_end_ = ++cur.begin;
    last_     = Tok::RPack;
    return true;
}

/// Takes the token t. `>>` may end two packs, and `>` `>` an array.
bool Parser::expect(Tok t) {
    const Token cur = toks_[pos_];
    if (t == Tok::RPack && split_closer()) return true;
    if (t == Tok::RArray && cur.tok == Tok::RPack && text_[cur.begin] == '>' && cur.end == toks_[pos_ + 1].begin) {
        next();
        if (split_closer()) return true;
        t = Tok::RPack;
    }
    if (!at(t)) {
        expected(describe(t));
        return false;
    }
    next();
    return true;
}

/// Takes the closing bracket; if something else is there, skips to the partner of the opener.
void Parser::close(uint32_t opener, Tok t) {
    if (at(t)) return next();
    if (error_pos_ != pos_ && !stopped_ && !at(Tok::Error) && last_ != Tok::Error) {
        error_pos_ = pos_;
        lex_errors(begin());
        auto& d = diags_.report(Diag::expected_token, span(), {std::string(describe(t)), seen(), std::string(context_)});
        d.note(Diag::opened_here, {file_, toks_[opener].begin, toks_[opener].end}, {std::string(describe(toks_[opener].tok))});
        hint(d, describe(t));
    }
    uint32_t partner = toks_[opener].extra;
    if (partner == kNone || partner < pos_) return;
    // A partner behind the next declaration belongs to something else.
    for (uint32_t i = pos_; i + 1 < partner; ++i)
        if (toks_[i].tok == Tok::Semicolon && toks_[i + 1].tok <= Tok::K_plugin) return;
    pos_ = partner;
    next();
}

void Parser::expected(std::string_view what) {
    if (at(Tok::Error) || last_ == Tok::Error) error_pos_ = pos_; // has a diagnostic already, or is missing because of one
    if (error_pos_ == pos_) return;
    if (!stopped_) {
        lex_errors(begin());
        hint(diags_.report(Diag::expected_token, span(), {std::string(what), seen(), std::string(context_)}), what);
    }
    error_pos_ = pos_;
}

void Parser::report(Diag id, Span span, DiagArgs args) {
    if (stopped_) return;
    lex_errors(span.begin);
    diags_.report(id, span, std::move(args));
}

/// Reports the errors of the lexer in front of this place.
void Parser::lex_errors(uint32_t before) {
    auto& errors = toks_.errors();
    for (; lex_error_ < errors.size() && errors[lex_error_].begin < before; ++lex_error_) {
        auto& e = errors[lex_error_];
        auto& d = diags_.report(e.id, {file_, e.begin, e.end}, std::move(e.args));
        if (e.id == Diag::unexpected_char) hint_operator(d, e.begin);
        if (e.id == Diag::negative_integer) hint_negative(d, e.begin, e.end);
    }
}

std::string Parser::seen() const {
    const Token& t = toks_[pos_];
    if (t.tok == Tok::Eof) return "the end of the file";
    auto text = text_.substr(t.begin, t.end - t.begin);
    if (text.size() <= 40) return "`" + std::string(text) + "`";
    size_t n = 36;
    while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xc0) == 0x80) --n; // not inside a character
    return "`" + std::string(text.substr(0, n)) + "…`";
}

/// Skips the rest of a broken declaration: behind the next `;`, or to what may start or end a declaration list.
void Parser::sync() {
    while (!at(Tok::Eof) && !at(Tok::K_end) && !at(Tok::RBrace)) {
        if (accept(Tok::Semicolon)) return;
        if (starts_decl()) return;
        bool opens = at(Tok::LParen) || at(Tok::LSquare) || at(Tok::LBrace);
        if (opens && toks_[pos_].extra != kNone) pos_ = toks_[pos_].extra;
        next();
    }
}

/// Whether the limit of nesting is reached. Then reports it once, and moves to the end so that everything returns.
bool Parser::too_deep() {
    if (depth_ <= options_.max_nesting && !stack_is_low()) return false;
    report(Diag::nested_too_deep, span(), {std::to_string(std::min(depth_, options_.max_nesting))});
    stopped_   = true;
    pos_       = toks_.last();
    error_pos_ = pos_;
    return true;
}

Tok Parser::after_bracket(uint32_t ahead) const {
    auto t     = toks_[pos_ + ahead];
    bool opens = t.tok == Tok::LParen || t.tok == Tok::LSquare || t.tok == Tok::LBrace;
    if (!opens || t.extra == kNone) return Tok::Error;
    return toks_[t.extra + 1].tok; // Eof is behind every bracket
}

Symbol Parser::symbol(uint32_t begin, uint32_t end) {
    auto text = text_.substr(begin, end - begin);
    // In the 0.1 dialect today's keywords were usable as names.
    if (options_.dialect == Dialect::Mim0_1 && keyword(text) != Tok::Ident) return symbols_.intern(std::string(text) + "_");
    size_t h = text.size();
    for (char c : text) h = h * 31 + static_cast<unsigned char>(c);
    Known& known = known_[h % known_.size()];
    if (known.text != text || known.text.empty()) known = {text, symbols_.intern(text)};
    return known.symbol;
}

Binder Parser::name() {
    if (!at(Tok::Ident)) {
        expected("a name");
        if (is_keyword_as_name({Tok::Assign, Tok::Colon, Tok::Comma, Tok::Semicolon, Tok::LParen, Tok::LSquare, Tok::LBrace,
                                Tok::RParen, Tok::RSquare, Tok::RBrace, Tok::At}))
            misuse();
        return {};
    }
    Binder b{symbol(toks_[pos_].begin, toks_[pos_].end), span()};
    next();
    return b;
}

Binder Parser::name_or_annex() {
    if (!at(Tok::Annex)) return name();
    Binder b{symbol(toks_[pos_].begin, toks_[pos_].end), span()};
    next();
    return b;
}

const Expr* Parser::error() { return make<Error>(begin()); }

/// A declaration was found at its end, behind those inside of it.
void Parser::sort_annexes() {
    std::ranges::sort(module_.annexes, {}, [](const Decl* d) { return d->span.begin; });
}

Module Parser::module() {
    module_doc();
    std::vector<const Decl*> all;
    while (!at(Tok::Eof)) {
        decls(all, true);
        if (at(Tok::Eof)) break;
        expected("a declaration"); // a stray `end` or `}`
        next();
        accept(Tok::Semicolon);
    }
    lex_errors(kNone);
    module_.decls = list(all);
    sort_annexes();
    return std::move(module_);
}

Module Parser::single_expr() {
    const Expr* e = expr();
    accept(Tok::Semicolon);
    if (!at(Tok::Eof)) expected("the end of the text");
    lex_errors(kNone);
    auto* wild    = ast::make<NamePattern>(module_.arena, Span{}, Binder{}, static_cast<const Expr*>(nullptr));
    const Decl* d = make_decl<Let>(e->span.begin, static_cast<const Pattern*>(wild), e);
    module_.decls = module_.arena.list(&d, 1);
    sort_annexes();
    return std::move(module_);
}

Module parse(FileId file, const SourceManager& sources, SymbolTable& symbols, Diagnostics& diags, ParseOptions options) {
    auto text = sources.text(file);
    return Parser(file, text, symbols, diags, options).module();
}

Module parse_expr(FileId file, const SourceManager& sources, SymbolTable& symbols, Diagnostics& diags, ParseOptions options) {
    auto text = sources.text(file);
    return Parser(file, text, symbols, diags, options).single_expr();
}

} // namespace mim
