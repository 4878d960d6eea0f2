// SPDX-License-Identifier: MIT
// Atoms: literals, names, everything in brackets, and the forms that start with a word. Lambdas, `match` and `Cn`/`Fn` reach
// as far to the right as they can.
#include "syntax/parser.h"

namespace mim {

using namespace ast;

const Expr* Parser::atom() {
    uint32_t first = begin();
    Tok t          = tok();
    auto prim      = [&](PrimKind kind) { return next(), make<Prim>(first, kind); };
    if (is_misused()) return next(), error();
    switch (t) {
        case Tok::Ident: {
            if (auto end = dotted(); end != pos_) return dotted_name(end);
            Symbol s = symbol(first, toks_[pos_].end);
            next();
            return make<Name>(first, s);
        }
        case Tok::Annex: {
            Symbol s = symbol(first, toks_[pos_].end);
            next();
            return make<Annex>(first, s);
        }
        case Tok::Nat: return number();
        case Tok::Idx:
        case Tok::Char: {
            Literal lit = toks_.literal(toks_[pos_]);
            next();
            return make<IdxLit>(first, lit.form, lit.value, lit.size);
        }
        case Tok::Float: return floating();
        case Tok::String: return string();
        case Tok::LParen: return tuple();
        case Tok::LSquare: {
            auto was = error_pos_;
            auto* p  = keep_brackets(true);
            if (error_pos_ != was) return error();
            return make<Sigma>(first, as<TuplePattern>(p));
        }
        case Tok::LBrace: return block();
        case Tok::LArray: return sequence(Tok::RArray);
        case Tok::LPack: return sequence(Tok::RPack);
        case Tok::LSingle: return singleton();
        case Tok::Lambda:
        case Tok::K_cn:
        case Tok::K_fn: return lambda();
        case Tok::K_Cn: return cn_type();
        case Tok::K_Fn: return fn_type();
        case Tok::K_Sort: return sort();
        case Tok::K_ins: return insert();
        case Tok::K_match: return match();
        case Tok::Star: return prim(PrimKind::Star);
        case Tok::Box: return prim(PrimKind::Box);
        case Tok::Bot: return prim(PrimKind::Bot);
        case Tok::Top: return prim(PrimKind::Top);
        case Tok::Underscore: return next(), make<Hole>(first);
        case Tok::Error: return next(), error();
        default: break;
    }
    if (t >= Tok::K_Nat && t <= Tok::K_i64)
        return prim(static_cast<PrimKind>(static_cast<int>(t) - static_cast<int>(Tok::K_Nat) + static_cast<int>(PrimKind::Nat)));
    expected("an expression");
    return is_bare_block() ? bare_block() : error();
}

/// `23` or `23:T`. In a filter the colon starts the codomain.
const Expr* Parser::number() {
    Nest nest(*this);
    if (too_deep()) return error();
    uint32_t first = begin();
    uint64_t value = toks_.literal(toks_[pos_]).value;
    next();
    if (in_filter_ || !accept(Tok::Colon)) return make<NatLit>(first, value);
    auto* type = atom();
    return make<AscribedLit>(first, value, type);
}

const Expr* Parser::floating() {
    Nest nest(*this);
    if (too_deep()) return error();
    uint32_t first = begin();
    Span place     = span();
    Symbol text    = symbols_.intern(text_.substr(first, toks_[pos_].end - first));
    next();
    if (!accept(Tok::Colon)) {
        report(Diag::float_without_type, place, {text.str()});
        return error();
    }
    auto* type = atom();
    return make<FloatLit>(first, text, type);
}

const Expr* Parser::string() {
    uint32_t first = begin();
    Literal lit    = toks_.literal(toks_[pos_]);
    next();
    return make<StrLit>(first, module_.arena.text(toks_.bytes(lit)));
}

/// `(e, …)`; `(e)` is e.
const Expr* Parser::tuple() {
    Brackets brackets(*this, "a tuple");
    uint32_t first = begin(), opener = pos_;
    next();
    if (accept(Tok::RParen)) return make<Tuple>(first, List<const Expr*>());
    auto* e = expr();
    if (!at(Tok::Comma)) {
        bool ends = at(Tok::RParen);
        close(opener, Tok::RParen);
        return ends ? e : error();
    }
    std::vector<const Expr*> elems{e};
    while (accept(Tok::Comma)) elems.push_back(expr());
    close(opener, Tok::RParen);
    return make<Tuple>(first, list(elems));
}

/// `{ d… e }`
const Expr* Parser::block() {
    Brackets brackets(*this, "a block");
    uint32_t first = begin(), opener = pos_;
    if (at_group()) { // an implicit domain where none may be
        expected("an expression");
        auto* skipped = keep_brackets(true);
        return make<Error>(skipped->span.begin);
    }
    bool is_value = at_braced_value();
    next();
    if (is_value) expected("a declaration");
    std::vector<const Decl*> ds;
    bool joins = false;
    while (starts_decl() || is_ret()) {
        auto* d = decl(false, joins);
        if (!d) continue;
        ds.push_back(d);
        joins |= d->kind == DeclKind::Rec || d->kind == DeclKind::Fun;
    }
    auto* body = expr();
    if ((at(Tok::Semicolon) && tok(1) != Tok::RBrace) || at(Tok::Assign) || at(Tok::Dollar))
        return statement(opener, body), error();
    close(opener, Tok::RBrace);
    if (ds.empty()) return body;
    return make<Block>(first, list(ds), body);
}

/// `{ … e; … }`, `{ … x = e; … }` or `{ … f $ x; … }`: what other languages call a statement. It is one mistake, whatever follows it.
void Parser::statement(uint32_t opener, const Expr* e) {
    static constexpr size_t MaxText = 40;
    auto text                       = text_.substr(e->span.begin, e->span.end - e->span.begin);
    bool is_said                    = error_pos_ == pos_ || stopped_ || (at(Tok::Assign) && e->kind == ExprKind::Error);
    if (!is_said) {
        lex_errors(begin());
        auto& d    = diags_.report(Diag::expected_token, span(),
                                   {std::string(describe(Tok::RBrace)), seen(), std::string(context_)});
        auto shown = text.size() <= MaxText && text.find('\n') == text.npos ? std::string(text) : "…";
        if (at(Tok::Assign)) d.note(Diag::no_such_word, {}, {shown + " = …", "`let " + shown + " = …;` binds the name anew"});
        else if (at(Tok::Dollar)) d.note(Diag::call_with_ret, {}, {shown, "…"});
        else d.note(Diag::value_of_block, {}), d.note(Diag::bind_in_block, {}, {shown});
    }
    error_pos_       = pos_;
    uint32_t partner = toks_[opener].extra;
    if (partner == kNone || partner < pos_) return;
    pos_ = partner;
    next();
}

/// Reads `let y = x; y` without the braces around it, which was reported.
const Expr* Parser::bare_block() {
    Nest nest(*this);
    if (too_deep()) return error();
    while (starts_decl()) decl(false, true);
    expr();
    return error();
}

/// `«x: n, m; T»` and `‹x: n, m; e›`
const Expr* Parser::sequence(Tok closer) {
    Brackets brackets(*this, closer == Tok::RArray ? "an array type" : "a pack");
    uint32_t first = begin(), opener = pos_;
    next();
    std::vector<Dim> dims;
    do {
        Binder x;
        if ((at(Tok::Ident) || at(Tok::Underscore)) && tok(1) == Tok::Colon) {
            if (at(Tok::Ident)) x = {symbol(begin(), toks_[pos_].end), span()};
            next();
            next();
        }
        dims.push_back({x, expr()});
    } while (accept(Tok::Comma));
    const Expr* body = expect(Tok::Semicolon) ? expr() : error();
    if (error_pos_ == pos_ || !expect(closer)) close(opener, closer);
    if (closer == Tok::RArray) return make<Array>(first, list(dims), body);
    return make<Pack>(first, list(dims), body);
}

const Expr* Parser::singleton() {
    Brackets brackets(*this, "a singleton type");
    uint32_t first = begin(), opener = pos_;
    next();
    auto* e = expr();
    close(opener, Tok::RSingle);
    return make<Singleton>(first, e);
}

const Expr* Parser::lambda() {
    uint32_t first = begin();
    auto form      = at(Tok::Lambda) ? LamForm::Lam : at(Tok::K_cn) ? LamForm::Con : LamForm::Fun;
    next();
    Function fun = function(form, "a λ");
    if (fun.body->kind == ExprKind::Error) return fun.body;
    return make<Lam>(first, fun);
}

/// `Sort e`; `Sort 1` is the ASCII spelling of □.
const Expr* Parser::sort() {
    Nest nest(*this);
    if (too_deep()) return error();
    uint32_t first = begin();
    next();
    auto* level = atom();
    auto* lit   = isa<NatLit>(level);
    if (lit && lit->value == 1) return make<Prim>(first, PrimKind::Box);
    return make<Sort>(first, level);
}

/// `ins(e, i, v)`
const Expr* Parser::insert() {
    Brackets brackets(*this, "`ins`");
    uint32_t first = begin();
    next();
    uint32_t opener = pos_;
    if (!expect(Tok::LParen)) return error();
    auto* tuple = expr();
    auto* index = expect(Tok::Comma) ? expr() : error();
    auto* value = expect(Tok::Comma) ? expr() : error();
    close(opener, Tok::RParen);
    return make<Insert>(first, tuple, index, value);
}

/// `match e with | p => e …`
const Expr* Parser::match() {
    Brackets brackets(*this, "a `match`");
    uint32_t first = begin();
    next();
    auto* value = expr();
    expect(Tok::K_with);
    std::vector<Arm> arms;
    accept(Tok::Bar); // the first one may be left out
    do {
        auto* p = pattern();
        auto* e = expect(Tok::FatArrow) ? expr() : error();
        arms.push_back({p, e});
    } while (accept(Tok::Bar));
    return make<Match>(first, value, list(arms));
}

} // namespace mim
