// SPDX-License-Identifier: MIT
// Expressions by binding strength, weakest first; chains are loops.
//
//   expr    ::= (ret p = f $ a;)* arrow (where d… end)*
//   arrow   ::= (domain →?)* inj | Cn … | Fn …        (parse_type.cpp)
//   inj     ::= app (inj (@ join)? app)*
//   app     ::= join (join | @ join)*
//   join    ::= extract (∪ extract)*
//   extract ::= atom (# atom)*                          (atoms: parse_atom.cpp)
#include "syntax/parser.h"

namespace mim {

using namespace ast;

const Expr* Parser::expr() {
    uint32_t first = begin();
    bool old_let   = options_.dialect == Dialect::Mim0_1 && starts_decl();
    if (!old_let && !is_ret()) return wheres(first, arrow());
    // `ret p = f $ a; e`, and in the 0.1 dialect `.let x = a; e`: a block without braces
    std::vector<const Decl*> ds;
    while (is_ret() || (options_.dialect == Dialect::Mim0_1 && starts_decl()))
        if (auto* d = decl(false, !ds.empty())) ds.push_back(d);
    auto* body = arrow();
    if (ds.empty()) return wheres(first, body);
    return wheres(first, make<Block>(first, list(ds), body));
}

const Expr* Parser::wheres(uint32_t first, const Expr* body) {
    while (at(Tok::K_where)) {
        uint32_t keyword = pos_;
        next();
        std::vector<const Decl*> ds;
        {
            Brackets brackets(*this, "a `where`");
            decls(ds, false);
        }
        close(keyword, Tok::K_end);
        if (!ds.empty()) body = make<Where>(first, body, list(ds));
    }
    return body;
}

const Expr* Parser::inj() {
    uint32_t first = begin();
    auto* e        = app();
    while (accept(Tok::K_inj)) {
        auto* member = accept(Tok::At) ? join() : nullptr;
        auto* type   = app();
        e            = make<Inj>(first, e, member, type);
    }
    return e;
}

const Expr* Parser::app() {
    uint32_t first = begin();
    auto* e        = join();
    Split split;
    while (true) {
        bool by_hand = at(Tok::At) && !in_param_type_;
        if (!by_hand && (!starts_atom() || is_less())) break;
        if (!split.line && at_line_start()) split = {nullptr, e, pos_};
        if (by_hand) next();
        auto* arg = join();
        e         = make<App>(first, by_hand, e, arg);
    }
    if (split.line) split_ = {e, split.line, split.next};
    return e;
}

const Expr* Parser::join() {
    uint32_t first = begin();
    auto* e        = extract();
    if (!at(Tok::Union)) return e;
    std::vector<const Expr*> members{e};
    while (accept(Tok::Union)) members.push_back(extract());
    return make<Union>(first, list(members));
}

const Expr* Parser::extract() {
    uint32_t first = begin();
    auto* e        = atom();
    while (accept(Tok::Hash)) {
        auto* index = atom();
        e           = make<Extract>(first, e, index);
    }
    return e;
}

/// Whether an argument may start here. `Cn`, `Fn` and `match` need parentheses as arguments, and so does a domain `{…}`.
bool Parser::starts_atom() const {
    switch (tok()) {
        case Tok::Ident:
        case Tok::Annex:
        case Tok::Nat:
        case Tok::Idx:
        case Tok::Float:
        case Tok::Char:
        case Tok::String:
        case Tok::Error:
        case Tok::LParen:
        case Tok::LSquare:
        case Tok::LArray:
        case Tok::LPack:
        case Tok::LSingle:
        case Tok::Lambda:
        case Tok::K_cn:
        case Tok::K_fn:
        case Tok::K_Sort:
        case Tok::K_ins:
        case Tok::Star:
        case Tok::Box:
        case Tok::Bot:
        case Tok::Top:
        case Tok::Underscore: return true;
        case Tok::LBrace: return !at_group() && !at_braced_value();
        default: return (tok() >= Tok::K_Nat && tok() <= Tok::K_i64) || is_misused();
    }
}

/// `ret` starts a statement if a pattern and `=` follow; anywhere else it is a name.
bool Parser::is_ret() const {
    const Token& t = toks_[pos_];
    if (t.tok != Tok::Ident || t.end - t.begin != 3 || text_.substr(t.begin, 3) != "ret") return false;
    if (no_ret_) return false;
    uint32_t n = 2; // the token behind the pattern
    if (tok(1) == Tok::LParen || tok(1) == Tok::LSquare) {
        uint32_t partner = toks_[pos_ + 1].extra;
        if (partner == kNone) return false;
        n = partner + 1 - pos_;
    } else if (tok(1) != Tok::Ident && tok(1) != Tok::Underscore) {
        return false;
    }
    while (tok(n) == Tok::K_as && tok(n + 1) == Tok::Ident) n += 2;
    return tok(n) == Tok::Assign || tok(n) == Tok::Colon;
}

} // namespace mim
