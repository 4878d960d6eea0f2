// SPDX-License-Identifier: MIT
#include "syntax/parse_expr.h"

#include "front/operators.h"
#include "syntax/parse_atom.h"
#include "syntax/parse_decl.h"
#include "syntax/parse_type.h"

namespace mim {

using namespace ast;

/// A text that is repeated in a message.
static std::string shortened(std::string_view text) {
    static constexpr size_t MaxText = 40;
    bool is_short                   = text.size() <= MaxText && text.find('\n') == text.npos;
    return is_short ? std::string(text) : "…";
}

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
    auto* e        = operations();
    while (accept(Tok::K_inj)) {
        auto* member = accept(Tok::At) ? join() : nullptr;
        auto* type   = operations();
        e            = make<Inj>(first, e, member, type);
    }
    return e;
}

/*
 * operators
 */

/// Between two operands; the stronger, the higher the precedence.
static front::Fixity fixity(Tok op) {
    using front::Fixity;
    switch (op) {
        case Tok::OrOr: return {Fixity::Left, 1};
        case Tok::AndAnd: return {Fixity::Left, 2};
        case Tok::Plus:
        case Tok::Minus: return {Fixity::Left, 4};
        case Tok::Star:
        case Tok::Slash:
        case Tok::Percent: return {Fixity::Left, 5};
        default: return {Fixity::Neither, 3};
    }
}

/// An operand with the extent of its text, which may be in brackets.
struct ExprParser::Operand {
    const Expr* expr;
    uint32_t begin, end;
};

const Expr* ExprParser::operations() {
    auto first = operand();
    if (at(Tok::Not)) return misplaced_prefix(first);
    if (!look_.is_infix()) return first.expr;
    auto combine = [&](const front::Infix& op, Operand l, Operand r) {
        return Operand{operation(op.span, l, r), l.begin, r.end};
    };
    front::Infixes<Operand> all(first);
    bool chains = false;
    while (look_.is_infix()) {
        front::Infix op{cursor_.word(), cursor_.span(), fixity(tok())};
        next();
        auto before = all.add(op, operand(), combine);
        if (errors_.is_marked()) break; // there is no operand
        if (!before) continue;
        auto text = "a " + std::string(before->text) + " b && b " + std::string(op.text) + " c";
        errors_.report(Diag::chained_comparison, op.span, {text});
        chains = true;
    }
    auto whole = all.finish(combine);
    if (at(Tok::Not)) return misplaced_prefix(whole);
    return chains ? tree_.make_between<Error>(whole.begin, whole.end) : whole.expr;
}

const Expr* ExprParser::operation(Span op, Operand left, Operand right) {
    auto text = tree_.intern(cursor_.text(op.begin, op.end));
    return tree_.make_between<Operation>(left.begin, right.end, Binder{text, tree_.place(op)}, left.expr, right.expr);
}

/// `-x`, `!x`, also several of them; a loop, since there may be many.
ExprParser::Operand ExprParser::operand() {
    uint32_t first = begin();
    std::vector<Span> ops;
    while (at(Tok::Not) || (at(Tok::Minus) && !look_.is_signed_number())) {
        ops.push_back(cursor_.span());
        next();
    }
    auto* e      = app();
    uint32_t end = cursor_.last_end();
    for (size_t i = ops.size(); i-- > 0;) {
        auto text = tree_.intern(cursor_.text(ops[i].begin, ops[i].end));
        Binder op{text, tree_.place(ops[i])};
        e = tree_.make_between<Operation>(ops[i].begin, end, op, static_cast<const Expr*>(nullptr), e);
    }
    return {e, first, std::max(first, end)};
}

/// `f !x`, where brackets are missing.
const Expr* ExprParser::misplaced_prefix(const Operand& left) {
    auto place    = cursor_.span();
    auto operand  = this->operand();
    auto shown    = [&](uint32_t begin, uint32_t end) { return shortened(cursor_.text(begin, end)); };
    auto brackets = shown(left.begin, left.end) + " (" + shown(operand.begin, operand.end) + ")";
    errors_.report(Diag::prefix_operand, place, {"!", brackets});
    return tree_.make_between<Error>(left.begin, operand.end);
}

/*
 * application and what binds stronger
 */

const Expr* ExprParser::app() {
    uint32_t first = begin();
    auto* e        = join();
    Split split;
    while (true) {
        bool by_hand = at(Tok::At) && !context_.in_param_type;
        if (!by_hand && !look_.starts_atom() && !at_bare_pack()) break;
        if (!split.line && cursor_.at_line_start()) split = {nullptr, e, cursor_.pos()};
        if (by_hand) next();
        auto* arg = join();
        e         = make<App>(first, by_hand, e, arg);
    }
    if (split.line) split_ = {e, split.line, split.next};
    return e;
}

/// An argument in ASCII, as `f <n; e>`, whose brackets are missing: reported, and read as what is meant.
bool ExprParser::at_bare_pack() {
    if (!look_.is_bare_pack()) return false;
    if (auto d = errors_.report(Diag::expected_token, cursor_.span(), {"`(`", "`<`", "an argument"}))
        d->note(Diag::did_you_mean, {}, {"(<n; e>)"});
    return true;
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
