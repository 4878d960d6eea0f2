// SPDX-License-Identifier: MIT
#include "syntax/parse_expr.h"

#include "syntax/parse_atom.h"
#include "syntax/parse_decl.h"
#include "syntax/parse_type.h"

namespace mim {

using namespace ast;

const Expr* ExprParser::expr() {
    if (starts_statement()) return bare_block();
    uint32_t first = begin();
    return wheres(first, g_.types.arrow());
}

/// `d… e` and `d… e where d… end`, where all declarations are those of one block.
const Expr* ExprParser::bare_block() {
    front::Nesting::Level nest(errors_.nesting());
    if (errors_.too_deep()) return error();
    uint32_t first = begin();
    Span place     = cursor_.span();
    std::vector<const Decl*> ds;
    g_.decls.statements(ds, place);
    auto around         = std::exchange(context_.statements, place);
    auto* body          = g_.types.arrow();
    context_.statements = around;
    auto num_before     = static_cast<uint32_t>(ds.size());
    if (num_before && at(Tok::K_where)) where_decls(ds);
    if (ds.size() > num_before) body = make<Where>(first, body, list(ds), num_before);
    else if (num_before) body = make<Block>(first, list(ds), body, true);
    return wheres(first, body);
}

/// A declaration without braces around it. `and` belongs to one that stands before it.
bool ExprParser::starts_statement() const { return look_.starts_statement() && !at(Tok::K_and); }

const Expr* ExprParser::wheres(uint32_t first, const Expr* body) {
    while (at(Tok::K_where)) {
        std::vector<const Decl*> ds;
        where_decls(ds);
        if (!ds.empty()) body = make<Where>(first, body, list(ds));
    }
    return body;
}

/// `where d… end`
void ExprParser::where_decls(std::vector<const Decl*>& ds) {
    uint32_t keyword = cursor_.pos();
    next();
    {
        Brackets brackets(context_, "a `where`");
        g_.decls.decls(ds, false);
    }
    close(keyword, Tok::K_end);
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
