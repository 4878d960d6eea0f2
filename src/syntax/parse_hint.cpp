// SPDX-License-Identifier: MIT
// Typical mistakes: what a beginner wrote, known from the token that the parser did not expect. Each becomes a note that says
// what to write instead; but for recovery, none of this decides what is read.
#include <algorithm>
#include <charconv>

#include "syntax/parser.h"

namespace mim {

using namespace ast;

namespace {

/// Operators of other languages, and the call that stands for them on `Nat`, `Idx n` or `Bool`.
struct Operator {
    std::string_view text, call;
};
constexpr Operator kOperators[] = {
#define MIM_OPERATOR(text, call) {text, call},
#include "diag/operators.def"
#undef MIM_OPERATOR
};

constexpr std::string_view kDeclarations[] = {"let",  "rec",  "and",  "lam",  "con",    "fun",   "axm",
                                              "cfun", "ccon", "rule", "norm", "import", "plugin"};

/// Whether one insertion, deletion or change of a character makes a of b.
bool is_close(std::string_view a, std::string_view b) {
    if (a.size() < b.size()) std::swap(a, b);
    if (a.size() > b.size() + 1) return false;
    size_t i = 0;
    while (i < b.size() && a[i] == b[i]) ++i;
    return a.substr(i + 1 > a.size() ? a.size() : i + 1) == b.substr(std::min(b.size(), a.size() == b.size() ? i + 1 : i));
}

} // namespace

/// What an operator at this place of the text stands for.
void Parser::hint_operator(Diagnostic& d, uint32_t place) {
    for (auto& op : kOperators)
        if (text_.substr(place, op.text.size()) == op.text)
            return (void)d.note(Diag::no_operators, {}, {std::string(op.text), std::string(op.call)});
}

/// After a report that `what` was expected at the current token.
void Parser::hint(Diagnostic& d, std::string_view what) {
    auto note     = [&](Diag id, DiagArgs args = {}) { d.note(id, {}, std::move(args)); };
    auto word     = std::string(text_.substr(begin(), toks_[pos_].end - begin()));
    bool twice    = at(Tok::Assign) && tok(1) == Tok::Assign && toks_[pos_].end == toks_[pos_ + 1].begin;
    bool compares = (at(Tok::RPack) || at(Tok::LPack)) && (what == describe(Tok::Semicolon) || what == describe(Tok::RParen));
    if (twice || compares) return hint_operator(d, begin());
    if (at(Tok::Semicolon) && what == describe(Tok::RBrace)) return note(Diag::value_of_block);
    auto instead = [&](std::string form, std::string text) { note(Diag::no_such_word, {std::move(form), std::move(text)}); };
    if (what == describe(Tok::RSquare) && at(Tok::Semicolon)) return instead("[n; T]", "an array type is written `«n; T»`");
    if (what == describe(Tok::Semicolon) && at(Tok::Comma) && tok(1) != Tok::Bar)
        return instead("a, b", "a tuple is written `(a, b)`");
    if (what == describe(Tok::Assign) && context_ == "a λ" && at(Tok::Arrow)) return instead("λ x → e", "write `λ (x: T) = e`");
    if (what == "a parameter" && at(Tok::LPack)) return instead("<T>", "a type parameter is written `{T: *}`");
    if (what == describe(Tok::Assign) && context_ == "a function" && (at(Tok::Arrow) || starts_atom()))
        return note(Diag::result_after_colon);
    if (what == describe(Tok::Assign) && context_ == "a `let`" && (at(Tok::LParen) || at(Tok::LSquare) || at(Tok::LBrace)))
        return note(Diag::let_has_no_parameter);
    if ((what == "a pattern" || what == "a name") && tok() <= Tok::K_i64) return note(Diag::is_keyword, {word});
    if (what == "an expression" && is_bare_block()) return note(Diag::declarations_in_block);
    if (what != "a declaration") return;
    if (context_ == "a block") return instead("{ e }", "a value without declarations stands without braces");
    if (at(Tok::K_extern)) return note(Diag::extern_follows);
    if (at(Tok::Hash)) return note(Diag::comment_start);
    if (!at(Tok::Ident)) return;
    if (word == "def" || word == "fn" || word == "function") return note(Diag::did_you_mean, {"lam"});
    auto close = std::find_if(std::begin(kDeclarations), std::end(kDeclarations), [&](auto k) { return is_close(word, k); });
    if (close != std::end(kDeclarations)) note(Diag::did_you_mean, {std::string(*close)});
}

/// `-2:%math.F64` wants a float, and `-3I32` has a residue.
void Parser::hint_negative(Diagnostic& d, uint32_t begin, uint32_t end) {
    auto text = text_.substr(begin, end - begin);
    if (end < text_.size() && text_.substr(end, 2) == ":%")
        return (void)d.note(Diag::float_has_fraction, {}, {std::string(text) + ".0"});
    auto width = text.find('I');
    if (width == text.npos) return;
    uint64_t value = 0;
    unsigned bits  = 0;
    auto read      = [](std::string_view s, auto& to) {
        auto [stop, failed] = std::from_chars(s.data(), s.data() + s.size(), to);
        return failed == std::errc() && stop == s.data() + s.size();
    };
    if (!read(text.substr(1, width - 1), value) || !read(text.substr(width + 1), bits)) return;
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return;
    uint64_t last = ~uint64_t(0) >> (64 - bits);
    if (value > last / 2 + 1) return;
    d.note(Diag::residue, {}, {std::string(text), std::to_string((0 - value) & last) + std::string(text.substr(width))});
}

/// Declarations, each up to its `;`, and then an expression: a block without braces.
bool Parser::is_bare_block() const {
    static constexpr uint32_t MaxLook = 1024;
    if (tok() > Tok::K_fun) return false;
    for (uint32_t i = 0; i < MaxLook; ++i) {
        const Token& t = toks_[pos_ + i];
        if (t.tok == Tok::Eof || t.tok == Tok::RBrace || t.tok == Tok::K_end) return false;
        bool opens = t.tok == Tok::LParen || t.tok == Tok::LSquare || t.tok == Tok::LBrace;
        if (opens && t.extra != kNone) i = t.extra - pos_;
        if (t.tok != Tok::Semicolon) continue;
        Tok after = tok(i + 1);
        if (after > Tok::K_plugin) return after != Tok::Eof && after != Tok::RBrace && after != Tok::K_end;
        if (after > Tok::K_fun) return false;
    }
    return false;
}

/// A keyword where a name belongs, as what follows it tells.
bool Parser::is_keyword_as_name(std::initializer_list<Tok> followers) const {
    return tok() <= Tok::K_i64 && std::find(followers.begin(), followers.end(), tok(1)) != followers.end();
}

/// Reads a keyword that was reported as the name that it is taken for; where it is mentioned there is nothing more to say.
void Parser::misuse() {
    misused_ |= uint64_t(1) << static_cast<unsigned>(tok());
    next();
}

/// Whether the keyword that is next was taken for a name before, and is used as one here.
bool Parser::is_misused() const {
    if (tok() > Tok::K_Sort || !(misused_ >> static_cast<unsigned>(tok()) & 1)) return false;
    switch (tok(1)) {
        case Tok::Semicolon:
        case Tok::Comma:
        case Tok::RParen:
        case Tok::RSquare:
        case Tok::RBrace:
        case Tok::RArray:
        case Tok::RPack:
        case Tok::Hash:
        case Tok::K_where: return true;
        default: return tok() != Tok::K_end && tok(1) == Tok::Eof;
    }
}

/// Whether the `<` that is next compares: it stands behind a name, and no `>` closes it before the expression ends.
bool Parser::is_less() const {
    static constexpr uint32_t MaxLook = 64;
    if (!at(Tok::LPack) || text_[begin()] != '<' || last_ != Tok::Ident) return false;
    for (uint32_t i = 1; i < MaxLook; ++i) {
        Tok t = tok(i), after = tok(i + 1);
        if (t == Tok::Semicolon)
            return after <= Tok::K_plugin || after == Tok::Eof || after == Tok::RBrace || after == Tok::K_end;
        if (t == Tok::RPack) return false;
        if (t == Tok::RParen || t == Tok::RBrace || t == Tok::Eof) return true;
        bool opens = t == Tok::LParen || t == Tok::LSquare || t == Tok::LBrace;
        if (opens && toks_[pos_ + i].extra != kNone) i = toks_[pos_ + i].extra - pos_;
    }
    return false;
}

/// `a.b`: the index behind the last of the names that dots join here; pos_ if there are none.
uint32_t Parser::dotted() const {
    if (options_.dialect != Dialect::Mim) return pos_;
    auto touch = [&](uint32_t i) { return toks_[i].end == toks_[i + 1].begin; };
    uint32_t i = pos_;
    while (toks_[i + 1].tok == Tok::Error && text_[toks_[i + 1].begin] == '.' && touch(i) && touch(i + 1)
           && toks_[i + 1].end - toks_[i + 1].begin == 1 && (toks_[i + 2].tok == Tok::Ident || toks_[i + 2].tok < Tok::LParen))
        i += 2;
    return i == pos_ ? pos_ : i + 1;
}

/// Reports names joined by dots, which are one mistake, and moves behind them.
const Expr* Parser::dotted_name(uint32_t end) {
    uint32_t first = begin(), last = toks_[end - 1].end;
    auto text  = std::string(text_.substr(first, last - first));
    auto field = text;
    std::replace(field.begin(), field.end(), '.', '#');
    report(Diag::dotted_name, {file_, first, last}, {text, field});
    skip_dotted(end);
    return error();
}

/// Moves behind names joined by dots, whose dots are errors of the lexer that need no report.
void Parser::skip_dotted(uint32_t end) {
    auto& errors = toks_.errors();
    while (lex_error_ < errors.size() && errors[lex_error_].begin < toks_[end - 1].end) ++lex_error_;
    while (pos_ < end) next();
}

/// The expression up to the end of the line, if what follows it must be the value of the block: `let x = e⏎ y }`.
bool Parser::split_line(const Expr*& value) {
    if (!at(Tok::RBrace) || split_.whole != value || !split_.whole) return false;
    value     = split_.line;
    pos_      = split_.next;
    last_end_ = value->span.end;
    return true;
}

} // namespace mim
