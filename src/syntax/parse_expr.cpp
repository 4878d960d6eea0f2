// SPDX-License-Identifier: MIT
#include "syntax/parse_expr.h"

#include "syntax/parse_atom.h"
#include "syntax/parse_decl.h"
#include "syntax/parse_type.h"

namespace mim {

using namespace ast;

const Expr* ExprParser::expr() {
    uint32_t first = begin();
    if (!starts_statement()) return wheres(first, g_.types.arrow());
    std::vector<const Decl*> ds;
    while (starts_statement())
        if (auto* d = g_.decls.decl(false, !ds.empty())) ds.push_back(d);
    auto* body = g_.types.arrow();
    if (ds.empty()) return wheres(first, body);
    return wheres(first, make<Block>(first, list(ds), body));
}

/// `ret p = f $ a; e`, and in the 0.1 dialect `.let x = a; e`: a block without braces.
bool ExprParser::starts_statement() const {
    bool is_decl = g_.dialect == Dialect::Mim0_1 && look_.starts_decl();
    return is_decl || look_.is_ret();
}

const Expr* ExprParser::wheres(uint32_t first, const Expr* body) {
    while (at(Tok::K_where)) {
        uint32_t keyword = cursor_.pos();
        next();
        std::vector<const Decl*> ds;
        {
            Brackets brackets(context_, "a `where`");
            g_.decls.decls(ds, false);
        }
        close(keyword, Tok::K_end);
        if (!ds.empty()) body = make<Where>(first, body, list(ds));
    }
    return body;
}

const Expr* ExprParser::inj() {
    uint32_t first = begin();
    auto* e        = app();
    while (accept(Tok::K_inj)) {
        auto* member = accept(Tok::At) ? join() : nullptr;
        auto* type   = app();
        e            = make<Inj>(first, e, member, type);
    }
    return e;
}

const Expr* ExprParser::app() {
    uint32_t first = begin();
    auto* e        = join();
    Split split;
    while (true) {
        bool by_hand = at(Tok::At) && !context_.in_param_type;
        if (!by_hand && (!look_.starts_atom() || look_.is_less())) break;
        if (!split.line && cursor_.at_line_start()) split = {nullptr, e, cursor_.pos()};
        if (by_hand) next();
        auto* arg = join();
        e         = make<App>(first, by_hand, e, arg);
    }
    if (split.line) split_ = {e, split.line, split.next};
    return e;
}

const Expr* ExprParser::join() {
    uint32_t first = begin();
    auto* e        = extract();
    if (!at(Tok::Union)) return e;
    std::vector<const Expr*> members{e};
    while (accept(Tok::Union)) members.push_back(extract());
    return make<Union>(first, list(members));
}

const Expr* ExprParser::extract() {
    uint32_t first = begin();
    auto* e        = g_.atoms.atom();
    while (accept(Tok::Hash)) {
        auto* index = g_.atoms.atom();
        e           = make<Extract>(first, e, index);
    }
    return e;
}

bool ExprParser::split_line(const Expr*& value) {
    if (!at(Tok::RBrace) || split_.whole != value || !split_.whole) return false;
    value = split_.line;
    cursor_.move_back(split_.next, value->span.end);
    return true;
}

} // namespace mim
