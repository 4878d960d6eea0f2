// SPDX-License-Identifier: MIT
// Calls that an operator would make as well, for a tool that rewrites them. The operator must apply the axiom that the
// call applies: of `%core.nat.mul (2, 2)`, + would make the same, but is not meant. Operators that evaluate their
// right operand by need apply no axiom, but choose: `a && b` is `(ff, b)#a`. Such a choice, and a call of a function
// that chooses, are kept as well.
#include <array>

#include "ir/spine.h"
#include "sema/operators.h"

namespace mim {

/// The axiom that a function is, or applies; null if it is something else.
static const Axm* axiom_of(const Def* fun) {
    for (auto lam = fun->isa<Lam>(); lam && lam->is_set(); lam = fun->isa<Lam>()) fun = lam->body();
    auto axm = fun->isa<Axm>();
    return axm ? axm : head_axiom(fun);
}

static bool is_literal(const ast::Expr* e) {
    using enum ast::ExprKind;
    return e->kind == NatLit || e->kind == IdxLit || e->kind == AscribedLit || e->kind == FloatLit;
}

/// An operand that was read as an argument.
Operators::Operand Operators::passed(const ast::Expr* e, const Def* value) { return {e, {value, nullptr}, is_bare(e)}; }

/// Whether a function does nothing but choose between values.
static bool chooses(const Def* fun) {
    for (auto lam = fun->isa<Lam>(); lam && lam->is_set(); lam = fun->isa<Lam>()) fun = lam->body();
    return fun->isa<Extract>();
}

/// Whether it applies the axiom; null: whether it chooses.
static bool applies(const Def* fun, const Axm* axiom) { return axiom ? axiom_of(fun) == axiom : chooses(fun); }

static bool is_truth_value(const ast::Expr* e) {
    auto prim = ast::isa<ast::Prim>(e);
    return prim && (prim->prim == ast::PrimKind::ff || prim->prim == ast::PrimKind::tt);
}

static bool is_call_of_annex(const ast::App* e) {
    auto head = e->callee;
    while (auto inner = ast::isa<ast::App>(head)) head = inner->callee;
    return head->kind == ast::ExprKind::Annex;
}

void Operators::keep_call(const ast::App* e, const Def* callee, const Def* arg, const Def* value) {
    static constexpr std::array Prefix{"-", "!"};
    if (!is_call_of_annex(e)) return;
    auto axiom = axiom_of(callee);
    auto tuple = ast::isa<ast::Tuple>(e->arg);
    auto elem  = [&](uint64_t i) { return passed(tuple->elems[i], world_.extract(arg, i)); };
    if (axiom && tuple && tuple->elems.size() == 2) {
        keep_binary(e->span, elem(0), elem(1), axiom, value);
    } else if (axiom) {
        auto operand = passed(e->arg, arg);
        for (auto name : Prefix)
            if (keep(e->span, name, {}, operand, axiom, value)) return;
    } else if (tuple && tuple->elems.size() == 3 && chooses(callee)) {
        bool is_and = is_truth_value(tuple->elems[2]);
        if (is_and != is_truth_value(tuple->elems[1])) keep_binary(e->span, elem(0), elem(is_and ? 1 : 2), nullptr, value);
    }
}

void Operators::keep_choice(const ast::Extract* e, const Def* tuple, const Def* index, const Def* value) {
    auto pair = ast::isa<ast::Tuple>(e->tuple);
    if (!pair || pair->elems.size() != 2 || is_literal(e->index)) return;
    bool is_and = is_truth_value(pair->elems[0]);
    if (is_and == is_truth_value(pair->elems[1])) return;
    auto right = is_and ? 1 : 0;
    auto other = passed(pair->elems[right], world_.extract(tuple, static_cast<uint64_t>(right)));
    keep_binary(e->span, passed(e->index, index), other, nullptr, value);
}

void Operators::keep_binary(Span place, Operand left, Operand right, const Axm* axiom, const Def* value) {
    static constexpr std::array Binary{"*", "/", "%", "+", "-", "==", "!=", "<", "<=", ">", ">=", "&&", "||"};
    for (auto name : Binary)
        if (keep(place, name, left, right, axiom, value)) return;
}

/// An operator in front of its operand has no left one. False if it does not mean the same.
bool Operators::keep(Span place, const char* name, Operand left, Operand right, const Axm* axiom, const Def* value) {
    ast::Operation op{{ast::ExprKind::Operation, place}, {world_.sym(name), place}, left.text, right.text};
    auto& first = left.text ? left : right;
    if (!is_same_call(&op, first, right, axiom, value)) return false;
    bool has_one_type = first.value.def->type() == right.value.def->type();
    auto kept = [](const ast::Expr* e) { return e ? OperatorCall::Operand{e->span, is_literal(e)} : OperatorCall::Operand{}; };
    shared_.operator_calls.push_back({place, op.op.name, kept(left.text), kept(right.text), has_one_type});
    return true;
}

bool Operators::is_same_call(const ast::Operation* e, Operand left, Operand right, const Axm* axiom, const Def* value) {
    bool left_decides = !left.is_bare;
    auto& deciding    = left_decides ? left : right;
    auto type         = world_.refresh(deciding.value.def->type());
    auto found        = matches(e, candidates(e), type, left_decides);
    auto match        = found.empty() ? nullptr : most_special(found, left_decides);
    if (!match || !applies(match->candidate.fun, axiom) || !may_divide(e, match->candidate.fun)) return false;
    auto& other  = left_decides ? right : left;
    auto pattern = left_decides ? match->type.right() : match->type.left();
    if (match->args.unknown() && !match->args.match(pattern, world_.refresh(other.value.def->type()))) return false;
    auto operand = e->left ? world_.tuple({left.value.def, right.value.def}) : right.value.def;
    return value_of(*match, operand) == value;
}

/// Null where the operator does not take the operand.
const Def* Operators::value_of(Match& match, const Def* operand) {
    try {
        Spine spine(world_, match.candidate.fun);
        for (auto arg : match.args.args()) spine.apply(arg);
        spine.apply(operand);
        return world_.refresh(spine.get());
    } catch (const Error&) {
        return nullptr;
    }
}

} // namespace mim
