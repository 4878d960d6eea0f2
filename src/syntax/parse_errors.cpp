// SPDX-License-Identifier: MIT
#include "syntax/parse_errors.h"

#include <algorithm>

#include "front/parser.h"
#include "syntax/parse_hint.h"

namespace mim {

/*
 * reports
 */

Diagnostic* ParseErrors::expected(std::string_view what) {
    if (is_at_lex_error()) mark(); // has a diagnostic already, or is missing because of one
    if (is_marked()) return nullptr;
    mark();
    if (is_stopped_ || follows_error()) return nullptr;
    lex_errors(cursor_.begin());
    bool is_value_missing = what == "an expression" && cursor_.last() == Tok::Semicolon;
    bool has_statements   = is_value_missing && context_.statements;
    auto line             = has_statements ? line_without_end(context_.statements.begin) : kNone;
    if (line != kNone) return report_unended(line), nullptr;
    DiagArgs args{std::string(what), seen(), std::string(context_.name)};
    auto& d = diags_.report(Diag::expected_token, cursor_.span(), std::move(args));
    hint_expected(d, cursor_, look_, context_, what);
    if (is_value_missing) note_open_block(d);
    return &d;
}

Diagnostic* ParseErrors::expected_end_of_block() {
    if (is_marked() || is_stopped_) return nullptr;
    lex_errors(cursor_.begin());
    DiagArgs args{std::string(describe(Tok::RBrace)), seen(), std::string(context_.name)};
    return &diags_.report(Diag::expected_token, cursor_.span(), std::move(args));
}

Diagnostic* ParseErrors::report(Diag id, Span span, DiagArgs args) {
    if (is_stopped_) return nullptr;
    lex_errors(span.begin);
    return &diags_.report(id, span, std::move(args));
}

void ParseErrors::lex_errors(uint32_t before) {
    auto& errors = cursor_.tokens().errors();
    for (; lex_error_ < errors.size() && errors[lex_error_].begin < before; ++lex_error_) {
        auto& e = errors[lex_error_];
        auto& d = diags_.report(e.id, {cursor_.file(), e.begin, e.end}, std::move(e.args));
        if (e.id == Diag::unexpected_char) hint_operator(d, cursor_.text().substr(e.begin));
        if (e.id == Diag::malformed_number) hint_suffix(d, cursor_.text().substr(e.begin, e.end - e.begin));
        if (e.id == Diag::malformed_annex) hint_remainder(d, cursor_.text(), e.begin, e.end);
    }
}

void ParseErrors::skip_lex_errors(uint32_t before) {
    auto& errors = cursor_.tokens().errors();
    while (lex_error_ < errors.size() && errors[lex_error_].begin < before) ++lex_error_;
}

/// Whether there is an error on this line already, and no `;` in between: then this one is a consequence of it. If not, this is the one.
bool ParseErrors::follows_error() {
    auto here = cursor_.begin();
    if (shown_ < here && cursor_.text().substr(shown_, here - shown_).find_first_of("\n;") == std::string_view::npos) return true;
    shown_ = here;
    return false;
}

void ParseErrors::end_decl(uint32_t begin, size_t num_errors) {
    auto end = cursor_.last_end();
    lex_errors(end);
    if (count() != num_errors) diags_.mute({cursor_.file(), begin, end});
}

std::string ParseErrors::text(Span span) const {
    static constexpr size_t MaxText = 40;
    auto text                       = cursor_.text(span.begin, span.end);
    return text.size() <= MaxText && text.find('\n') == text.npos ? std::string(text) : "…";
}

std::string ParseErrors::bindings_text(const ast::Expr* value) const {
    auto bound = "`let p = " + text(value->span) + ";`";
    auto call  = ast::isa<ast::App>(value);
    if (!call) return bound;
    auto callee = text(call->callee->span);
    return bound + ", or `ret p = " + callee + " $ " + text(call->arg->span) + ";` if `" + callee + "` is a `fun`";
}

/// The next token, for a message.
std::string ParseErrors::seen() const {
    if (cursor_.at(Tok::Eof)) return "the end of the file";
    return front::shown(cursor_.word());
}

/*
 * tokens that must be there
 */

bool ParseErrors::expect(Tok t) {
    if (accept_end(t)) return true;
    expected(describe(t));
    return false;
}

bool ParseErrors::accept_end(Tok t) {
    const Token cur = cursor_.token();
    if (t == Tok::RPack && cursor_.split_closer()) return true;
    bool is_half = t == Tok::RArray && cur.tok == Tok::RPack && cursor_.text()[cur.begin] == '>';
    if (is_half && cur.end == cursor_.token(1).begin) {
        cursor_.next();
        if (cursor_.split_closer()) return true;
        t = Tok::RPack;
    }
    if (!cursor_.at(t)) return false;
    cursor_.next();
    return true;
}

void ParseErrors::close(uint32_t opener, Tok t) {
    if (cursor_.at(t)) return cursor_.next();
    auto& toks = cursor_.tokens();
    if (!is_marked() && !is_stopped_ && !is_at_lex_error() && !follows_error()) {
        mark();
        lex_errors(cursor_.begin());
        DiagArgs args{std::string(describe(t)), seen(), std::string(context_.name)};
        auto& d = diags_.report(Diag::expected_token, cursor_.span(), std::move(args));
        note_opener(d, opener);
        hint_expected(d, cursor_, look_, context_, describe(t));
    }
    if (t == Tok::RBrace && !is_closed(opener)) return;
    uint32_t partner = toks[opener].extra;
    if (partner == kNone || partner < cursor_.pos()) return;
    // A partner behind the next declaration belongs to something else.
    for (uint32_t i = cursor_.pos(); i + 1 < partner; ++i)
        if (toks[i].tok == Tok::Semicolon && toks[i + 1].tok <= Tok::K_plugin) return;
    skip_to_partner(opener);
}

/// How far the line of this offset is indented.
static size_t indentation(std::string_view text, uint32_t offset) {
    auto end   = text.substr(0, offset).rfind('\n');
    auto begin = end == text.npos ? 0 : end + 1;
    return text.find_first_not_of(" \t", begin) - begin;
}

/// Whether nothing but spaces stands in front of this offset on its line.
static bool is_first_of_line(std::string_view text, uint32_t offset) {
    auto end = text.substr(0, offset).find_last_not_of(" \t");
    return end == text.npos || text[end] == '\n';
}

/// The end of a value, and the start of another one: between them a `;` may be missing.
static bool are_two_values(Tok last, Tok first) {
    bool is_closer = last == Tok::RParen || last == Tok::RSquare || last == Tok::RBrace;
    auto is_word   = [](Tok t) {
        return t == Tok::Ident || t == Tok::Annex || t == Tok::Nat || t == Tok::Idx || t == Tok::Float || t == Tok::String;
    };
    return (is_closer || is_word(last)) && (first == Tok::LParen || is_word(first));
}

uint32_t ParseErrors::line_without_end(uint32_t declaration) const {
    auto& toks = cursor_.tokens();
    auto text  = cursor_.text();
    auto first = cursor_.pos();
    while (first > 0 && toks[first].begin > declaration) --first;
    if (!is_first_of_line(text, declaration)) return kNone;
    auto column = indentation(text, declaration);
    for (uint32_t i = first + 1; i < cursor_.pos(); ++i) {
        bool is_line = is_first_of_line(text, toks[i].begin) && indentation(text, toks[i].begin) == column;
        if (is_line && are_two_values(toks[i - 1].tok, toks[i].tok)) return i;
        if (Cursor::opens(toks[i].tok) && toks[i].extra != kNone) i = std::min(toks[i].extra, cursor_.pos());
    }
    return kNone;
}

void ParseErrors::report_unended(uint32_t line) {
    auto end = cursor_.tokens()[line - 1].end;
    report(Diag::unended, {cursor_.file(), end, end}, {"a declaration"});
}

bool ParseErrors::is_closed(uint32_t opener) const {
    auto& toks   = cursor_.tokens();
    auto partner = toks[opener].extra;
    auto text    = cursor_.text();
    if (partner == kNone || !is_first_of_line(text, toks[partner].begin)) return partner != kNone;
    return indentation(text, toks[partner].begin) >= indentation(text, toks[opener].begin);
}

void ParseErrors::note_opener(Diagnostic& d, uint32_t opener) const {
    auto& t = cursor_.tokens()[opener];
    d.note(Diag::opened_here, {cursor_.file(), t.begin, t.end}, {std::string(describe(t.tok))});
    auto line         = cursor_.text().substr(t.begin);
    auto comment      = line.substr(0, line.find('\n')).find("//");
    bool is_swallowed = comment != line.npos && line.substr(comment, line.find('\n') - comment).find_first_of(")]}") != line.npos;
    if (is_swallowed) d.note(Diag::no_such_word, {}, {"a // b", "`//` begins a comment, `/` divides"});
}

void ParseErrors::note_open_block(Diagnostic& d) const {
    if (context_.block != kNone && !is_closed(context_.block)) note_opener(d, context_.block);
}

void ParseErrors::skip_to_partner(uint32_t opener) {
    uint32_t partner = cursor_.tokens()[opener].extra;
    if (partner == kNone || partner < cursor_.pos()) return;
    cursor_.move_to(partner);
    cursor_.next();
}

void ParseErrors::sync() {
    while (!cursor_.at(Tok::Eof) && !cursor_.at(Tok::K_end) && !cursor_.at(Tok::RBrace)) {
        if (cursor_.accept(Tok::Semicolon)) return;
        if (look_.starts_decl()) return;
        auto partner = cursor_.partner();
        if (partner != kNone) cursor_.move_to(partner);
        cursor_.next();
    }
}

bool ParseErrors::too_deep() {
    if (!nesting_.is_too_deep()) return false;
    report(Diag::nested_too_deep, cursor_.span(), {std::to_string(nesting_.depth())});
    is_stopped_ = true;
    cursor_.move_to_end();
    mark();
    return true;
}

} // namespace mim
