// SPDX-License-Identifier: MIT
#include "syntax/parse_atom.h"

#include <algorithm>

#include "syntax/foreign_words.h"
#include "syntax/parse_decl.h"
#include "syntax/parse_expr.h"
#include "syntax/parse_hint.h"
#include "syntax/parse_pattern.h"
#include "syntax/parse_type.h"

namespace mim {

using namespace ast;

/// The types and constants that are words are in the same order as their tokens.
static PrimKind prim_of(Tok t) {
    auto index = static_cast<int>(t) - static_cast<int>(Tok::K_Nat);
    return static_cast<PrimKind>(static_cast<int>(PrimKind::Nat) + index);
}

const Expr* AtomParser::atom() {
    uint32_t first = begin();
    Tok t          = tok();
    if (look_.is_misused()) return next(), error();
    switch (t) {
        case Tok::Ident: return name();
        case Tok::Annex: {
            Symbol s = tree_.symbol();
            next();
            return make<Annex>(first, s);
        }
        case Tok::Nat: return number();
        case Tok::Idx:
        case Tok::Char: return index();
        case Tok::Float: return floating(first, cursor_.last());
        case Tok::String: return string();
        case Tok::LParen: return tuple();
        case Tok::LSquare: return tuple_type();
        case Tok::LBrace: return block();
        case Tok::LArray: return sequence(Tok::RArray);
        case Tok::LPack: return sequence(Tok::RPack);
        case Tok::LSingle: return singleton();
        case Tok::Lambda:
        case Tok::K_cn:
        case Tok::K_fn: return lambda();
        case Tok::K_Cn: return g_.types.cn_type();
        case Tok::K_Fn: return g_.types.fn_type();
        case Tok::K_Sort: return sort();
        case Tok::K_ins: return insert();
        case Tok::K_match: return match();
        case Tok::Star: return prim(PrimKind::Star);
        case Tok::Box: return prim(PrimKind::Box);
        case Tok::Bot: return prim(PrimKind::Bot);
        case Tok::Top: return prim(PrimKind::Top);
        case Tok::Plus:
        case Tok::Minus:
            if (look_.is_signed_number()) return signed_number();
            break;
        case Tok::Underscore: return next(), make<Hole>(first);
        case Tok::Error: return next(), error();
        default: break;
    }
    if (t >= Tok::K_Nat && t <= Tok::K_i64) return prim(prim_of(t));
    expected("an expression");
    return look_.is_bare_block() ? bare_block() : error();
}

const Expr* AtomParser::name() {
    if (auto opener = look_.body_of_statement()) return foreign_statement(opener);
    bool is_qualified = look_.at_qualified();
    if (auto end = look_.dotted(); end != cursor_.pos() && !is_qualified) return dotted_name(end);
    uint32_t first = begin();
    Symbol s       = is_qualified ? qualified_name().name : tree_.symbol();
    if (!is_qualified) next();
    return make<Name>(first, s);
}

/// `for i in 0..n { … }`, `while c { … }`, `if c { … } else { … }`: statements of other languages are one mistake, at the
/// first word, with all that follows up to the end of the declaration.
const Expr* AtomParser::foreign_statement(uint32_t opener) {
    auto word = std::string(cursor_.word());
    if (auto d = errors_.report(Diag::unknown_name, cursor_.span(), {word}))
        d->note(Diag::no_such_word, {}, {word, std::string(instead_of(word))});
    for (; opener != 0; opener = cursor_.at(Tok::Ident) && cursor_.word() == "else" ? look_.next_brace() : 0) {
        cursor_.move_to(opener + 1);
        errors_.skip_to_partner(opener);
        errors_.skip_lex_errors(cursor_.begin());
    }
    bool has_value = at(Tok::Semicolon) && !look_.starts_decl(1) && tok(1) != Tok::RBrace && tok(1) != Tok::K_end
                     && tok(1) != Tok::Eof;
    if (has_value) {
        next();
        g_.exprs.expr();
    }
    return error();
}

/// That there is such a name is known when names are resolved.
Binder AtomParser::qualified_name() {
    Binder x{tree_.symbol(), tree_.place()};
    uint32_t first = begin();
    if (look_.at_qualified()) {
        auto end  = cursor_.pos() + 3;
        auto last = cursor_.tokens()[end - 1].end;
        x.name    = tree_.intern(cursor_.text(first, last));
        x.span    = tree_.place(Span{cursor_.file(), first, last});
        skip_dotted(end);
    } else {
        next();
    }
    return x;
}

const Expr* AtomParser::prim(PrimKind kind) {
    uint32_t first = begin();
    next();
    return make<Prim>(first, kind);
}

const Expr* AtomParser::index() {
    uint32_t first = begin();
    Literal lit    = cursor_.literal();
    next();
    return make<IdxLit>(first, lit.form, lit.value, lit.size);
}

const Expr* AtomParser::tuple_type() {
    uint32_t first = begin();
    auto was       = errors_.place();
    auto* p        = g_.patterns.keep_brackets(true);
    if (errors_.place() != was) return error();
    return make<Sigma>(first, as<TuplePattern>(p));
}

/// `23` or `23:T`. In a filter the colon starts the codomain.
const Expr* AtomParser::number() {
    front::Nesting::Level nest(errors_.nesting());
    if (errors_.too_deep()) return error();
    uint32_t first = begin();
    uint64_t value = cursor_.literal().value;
    next();
    if (context_.in_filter || !accept(Tok::Colon)) return make<NatLit>(first, value);
    auto* type = atom();
    return make<AscribedLit>(first, value, type);
}

/// `1.5:T`, or `1.5` beside an operator; with the sign that begins at `first`, if it has one. `before`: the token in front of it. Whether such
/// a literal is the operand of the operator, or only an argument beside it, elaboration sees.
const Expr* AtomParser::floating(uint32_t first, Tok before) {
    front::Nesting::Level nest(errors_.nesting());
    if (errors_.too_deep()) return error();
    Symbol text = tree_.intern(cursor_.text(first, cursor_.end()));
    next();
    if (accept(Tok::Colon)) {
        auto* type = atom();
        return make<FloatLit>(first, text, type);
    }
    bool may_be_right = is_operator(before) || before == Tok::Star || before == Tok::LPack || before == Tok::RPack;
    if (may_be_right || look_.is_infix()) return make<FloatLit>(first, text, static_cast<const Expr*>(nullptr));
    errors_.report(Diag::float_without_type, cursor_.span_from(first), {text.str()});
    return make<Error>(first);
}

/// A sign and a number behind it.
const Expr* AtomParser::signed_number() {
    uint32_t first = begin();
    Tok before     = cursor_.last();
    next();
    if (at(Tok::Float)) return floating(first, before);
    uint32_t end = cursor_.end();
    auto text    = std::string(cursor_.text(first, end));
    if (auto d = errors_.report(Diag::negative_integer, {cursor_.file(), first, end}, {text}))
        hint_negative(*d, cursor_.text(), first, end);
    next();
    if (!context_.in_filter && accept(Tok::Colon)) atom();
    return make<Error>(first);
}

const Expr* AtomParser::string() {
    uint32_t first = begin();
    Literal lit    = cursor_.literal();
    next();
    return make<StrLit>(first, tree_.text(cursor_.tokens().bytes(lit)));
}

/// `(e, …)`; `(e)` is e.
const Expr* AtomParser::tuple() {
    Brackets brackets(context_, "a tuple");
    uint32_t first = begin(), opener = cursor_.pos();
    next();
    if (accept(Tok::RParen)) return make<Tuple>(first, List<const Expr*>());
    auto* e = g_.exprs.expr();
    if (!at(Tok::Comma)) {
        bool ends = at(Tok::RParen);
        close(opener, Tok::RParen);
        return ends ? e : error();
    }
    std::vector<const Expr*> elems{e};
    while (accept(Tok::Comma))
        if (!at(Tok::RParen)) elems.push_back(g_.exprs.expr());
    close(opener, Tok::RParen);
    return elems.size() == 1 ? e : make<Tuple>(first, list(elems));
}

/// `{ d… e }`
const Expr* AtomParser::block() {
    Brackets brackets(context_, "a block");
    uint32_t first = begin(), opener = cursor_.pos();
    if (look_.at_group()) { // an implicit domain where none may be
        expected("an expression");
        auto* skipped = g_.patterns.keep_brackets(true);
        return make<Error>(skipped->span.begin);
    }
    bool is_value = look_.at_braced_value();
    next();
    context_.block    = opener;
    bool is_statement = at(Tok::Ident) && look_.body_of_statement() != 0; // which is one mistake of its own
    if (is_value && !is_statement) expected("a declaration");
    std::vector<const Decl*> ds;
    g_.decls.statements(ds, {});
    auto* body = g_.exprs.expr();
    if ((at(Tok::Semicolon) && tok(1) != Tok::RBrace) || at(Tok::Assign) || at(Tok::Dollar))
        return statement(opener, body), error();
    close(opener, Tok::RBrace);
    if (ds.empty()) return body;
    return make<Block>(first, list(ds), body);
}

/// `var x = e` or `T x = e` of other languages, which is reported at the first word; false if the expression is
/// something else.
bool AtomParser::is_foreign_let(const Expr* e) {
    auto app  = isa<App>(e);
    auto name = app ? isa<Name>(app->arg) : nullptr;
    if (!name) return false;
    auto first    = app->callee->span;
    auto word     = std::string(cursor_.text(first.begin, first.end));
    auto x        = std::string(cursor_.text(name->span.begin, name->span.end));
    bool is_plain = isa<Name>(app->callee) && mim::is_foreign_let(word);
    auto declared = "`let " + x + (is_plain ? "" : ": " + word) + " = …;`";
    DiagArgs args{"a declaration", "`" + word + "`", std::string(context_.name)};
    if (auto d = errors_.report(Diag::expected_token, first, std::move(args)))
        d->note(Diag::no_such_word, {}, {word + " " + x + " = …", "this is written " + declared});
    return true;
}

/// `{ … e; … }`, `{ … x = e; … }` or `{ … f $ x; … }`: what other languages call a statement. It is one mistake,
/// whatever follows it.
void AtomParser::statement(uint32_t opener, const Expr* e) {
    auto text  = cursor_.text(e->span.begin, e->span.end);
    auto shown = errors_.text(e->span);
    if (auto name = isa<Name>(e); name && at(Tok::Assign) && text.find('.') != text.npos) {
        report_dotted(text, e->span);
        e = error();
    }
    if (at(Tok::Assign) && is_foreign_let(e)) e = error();
    bool is_said = at(Tok::Assign) && e->kind == ExprKind::Error;
    if (auto d = is_said ? nullptr : errors_.expected_end_of_block()) {
        if (at(Tok::Semicolon) && !errors_.is_closed(opener)) {
            errors_.note_opener(*d, opener);
        } else if (at(Tok::Assign)) {
            d->note(Diag::no_such_word, {}, {shown + " = …", "`let " + shown + " = …;` binds the name anew"});
        } else if (at(Tok::Dollar)) {
            d->note(Diag::call_with_ret, {}, {shown, "…"});
        } else {
            d->note(Diag::value_of_block, {});
            d->note(Diag::bind_in_block, {}, {errors_.bindings_text(e)});
        }
    }
    errors_.mark();
    if (errors_.is_closed(opener)) errors_.skip_to_partner(opener);
}

/// Reads `let y = x; y` without the braces around it, which was reported.
const Expr* AtomParser::bare_block() {
    front::Nesting::Level nest(errors_.nesting());
    if (errors_.too_deep()) return error();
    while (look_.starts_decl()) g_.decls.decl(false, true);
    g_.exprs.expr();
    return error();
}

/// `«x: n, m; T»` and `‹x: n, m; e›`
const Expr* AtomParser::sequence(Tok closer) {
    Brackets brackets(context_, closer == Tok::RArray ? "an array type" : "a pack");
    context_.in_pack = closer == Tok::RPack && cursor_.word() == "<";
    uint32_t first = begin(), opener = cursor_.pos();
    next();
    std::vector<Dim> dims;
    do {
        Binder x;
        if ((at(Tok::Ident) || at(Tok::Underscore)) && tok(1) == Tok::Colon) {
            if (at(Tok::Ident)) x = {tree_.symbol(), tree_.place()};
            next();
            next();
        }
        dims.push_back({x, g_.exprs.expr()});
    } while (accept(Tok::Comma));
    const Expr* body = expect(Tok::Semicolon) ? g_.exprs.expr() : error();
    if (errors_.is_marked() || !errors_.accept_end(closer)) close(opener, closer);
    if (closer == Tok::RArray) return make<Array>(first, list(dims), body);
    return make<Pack>(first, list(dims), body);
}

const Expr* AtomParser::singleton() {
    Brackets brackets(context_, "a singleton type");
    uint32_t first = begin(), opener = cursor_.pos();
    next();
    auto* e = g_.exprs.expr();
    close(opener, Tok::RSingle);
    return make<Singleton>(first, e);
}

const Expr* AtomParser::lambda() {
    uint32_t first = begin();
    auto form      = at(Tok::Lambda) ? LamForm::Lam : at(Tok::K_cn) ? LamForm::Con : LamForm::Fun;
    next();
    Function fun = g_.decls.function(form, "a λ");
    if (fun.body->kind == ExprKind::Error) return fun.body;
    return make<Lam>(first, fun);
}

/// `Sort e`; `Sort 1` is the ASCII spelling of □.
const Expr* AtomParser::sort() {
    front::Nesting::Level nest(errors_.nesting());
    if (errors_.too_deep()) return error();
    uint32_t first = begin();
    next();
    auto* level = atom();
    auto* lit   = isa<NatLit>(level);
    if (lit && lit->value == 1) return make<Prim>(first, PrimKind::Box);
    return make<Sort>(first, level);
}

/// `ins(e, i, v)`
const Expr* AtomParser::insert() {
    Brackets brackets(context_, "`ins`");
    uint32_t first = begin();
    next();
    uint32_t opener = cursor_.pos();
    if (!expect(Tok::LParen)) return error();
    auto* tuple = g_.exprs.expr();
    auto* index = expect(Tok::Comma) ? g_.exprs.expr() : error();
    auto* value = expect(Tok::Comma) ? g_.exprs.expr() : error();
    accept(Tok::Comma);
    close(opener, Tok::RParen);
    return make<Insert>(first, tuple, index, value);
}

/// Behind the pattern of an arm; with `->` in place of `=>`, what follows is read all the same.
const Expr* AtomParser::arm_value() {
    bool is_arrow = at(Tok::Arrow);
    if (!is_arrow) return expect(Tok::FatArrow) ? g_.exprs.expr() : error();
    expected(describe(Tok::FatArrow));
    next();
    return g_.exprs.expr();
}

/// `match e with | p => e …`
const Expr* AtomParser::match() {
    Brackets brackets(context_, "a `match`");
    brackets.stay_in_pack();
    uint32_t first = begin();
    next();
    auto* value = g_.exprs.expr();
    expect(Tok::K_with);
    std::vector<Arm> arms;
    accept(Tok::Bar); // the first one may be left out
    do {
        auto* p = g_.patterns.arm();
        auto* e = arm_value();
        arms.push_back({p, e});
    } while (accept(Tok::Bar));
    return make<Match>(first, value, list(arms));
}

const Expr* AtomParser::dotted_name(uint32_t end) {
    uint32_t first = begin(), last = cursor_.tokens()[end - 1].end;
    report_dotted(cursor_.text(first, last), {cursor_.file(), first, last});
    skip_dotted(end);
    return error();
}

void AtomParser::report_dotted(std::string_view text, Span span) {
    std::string field(text);
    std::replace(field.begin(), field.end(), '.', '#');
    errors_.report(Diag::dotted_name, span, {std::string(text), field});
}

void AtomParser::skip_dotted(uint32_t end) {
    errors_.skip_lex_errors(cursor_.tokens()[end - 1].end);
    while (cursor_.pos() < end) next();
}

} // namespace mim
