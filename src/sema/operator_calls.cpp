// SPDX-License-Identifier: MIT
// Calls that an operator would make as well, for a tool that rewrites them. The operator must apply the axiom that the call
// applies: of `%core.nat.mul (2, 2)`, + would make the same, but is not meant.
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

void Operators::keep_call(const ast::App* e, const Def* callee, const Def* arg, const Def* value) {
    static constexpr std::array Binary{"*", "/", "%", "+", "-", "==", "!=", "<", "<=", ">", ">="};
    static constexpr std::array Prefix{"-", "!"};
    auto head = e->callee;
    while (auto inner = ast::isa<ast::App>(head)) head = inner->callee;
    if (head->kind != ast::ExprKind::Annex || !axiom_of(callee)) return;
    auto keep = [&](const char* name, const ast::Expr* left, const ast::Expr* right) {
        ast::Operation op{{ast::ExprKind::Operation, e->span}, {world_.sym(name), e->span}, left, right};
        auto second = passed(right, left ? world_.extract(arg, uint64_t(1)) : arg);
        auto first  = left ? passed(left, world_.extract(arg, uint64_t(0))) : second;
        if (!is_same_call(&op, first, second, callee, value)) return false;
        bool has_one_type = first.value.def->type() == second.value.def->type();
        OperatorCall::Operand no_left{{}, false};
        shared_.operator_calls.push_back({e->span,
                                          op.op.name,
                                          left ? OperatorCall::Operand{left->span, is_literal(left)} : no_left,
                                          {right->span, is_literal(right)},
                                          has_one_type});
        return true;
    };
    auto pair = ast::isa<ast::Tuple>(e->arg);
    if (pair && pair->elems.size() == 2) {
        for (auto name : Binary)
            if (keep(name, pair->elems[0], pair->elems[1])) return;
    } else {
        for (auto name : Prefix)
            if (keep(name, nullptr, e->arg)) return;
    }
}

bool Operators::is_same_call(const ast::Operation* e, Operand left, Operand right, const Def* callee, const Def* value) {
    bool left_decides = !left.is_bare;
    auto& deciding    = left_decides ? left : right;
    auto type         = world_.refresh(deciding.value.def->type());
    auto found        = matches(e, candidates(e), type, left_decides);
    auto match        = found.empty() ? nullptr : most_special(found, left_decides);
    if (!match || axiom_of(match->candidate.fun) != axiom_of(callee) || !may_divide(e, match->candidate.fun)) return false;
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
