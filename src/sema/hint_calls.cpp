// SPDX-License-Identifier: MIT
// Notes at calls whose argument does not fit, or which call no function.
#include <algorithm>

#include "ir/token_types.h"
#include "sema/hints.h"

namespace mim {

/// The text of all elements as arguments, each in brackets if it needs them.
static std::string arguments_text(const Errors& errors, const ast::Tuple* tuple) {
    std::string text;
    for (auto e : tuple->elems) {
        bool atom = e->kind != ast::ExprKind::App && e->kind != ast::ExprKind::Inj && e->kind != ast::ExprKind::Lam
                    && e->kind != ast::ExprKind::Operation;
        auto one = errors.source_text(e->span);
        text += " " + (atom ? one : "(" + one + ")");
    }
    return text;
}

bool lacks_return(World& world, const Pi* pi, const Def* arg) {
    auto dom = pi->dom()->isa<Sigma>();
    if (!pi->is_cn() || !dom || dom->var() || dom->num_ops() != 2) return false;
    auto ret = dom->op(1)->isa<Pi>();
    try {
        return ret && ret->is_cn() && assignable(world, dom->op(0), arg);
    } catch (const Error&) {
        return false;
    }
}

const Def* shown_domain(const Pi* pi, const Pi* implicit) {
    if (!implicit || !pi->dom()->has(Def::HasHole)) return pi->dom();
    const Def* declared = implicit;
    while (auto p = declared->isa<Pi>()) {
        if (!p->is_implicit()) return p->dom();
        declared = p->codom();
    }
    return pi->dom();
}

void hint_argument(Errors& errors, Diagnostic& d, const MisfitCall& call) {
    auto& world                     = errors.world();
    auto [pi, implicit, head, args] = call;
    auto& arg                       = args.front();
    auto value                      = arg.res.def;
    auto fun                        = errors.source_text(head->span);
    auto text                       = errors.source_text(arg.ast->arg->span);
    auto tuple                      = ast::isa<ast::Tuple>(arg.ast->arg);
    auto dom                        = world.refresh(pi->dom());
    auto n                          = lit_arity(world, dom);
    auto k                          = tuple ? static_cast<int64_t>(tuple->elems.size()) : 1;
    auto note                       = [&](Diag id, DiagArgs more) {
        more.insert(more.begin(), fun);
        d.note(id, {}, std::move(more));
    };
    const Def* first = n > 1 && !dom->var() ? (dom->isa<Arr>() ? dom->as<Arr>()->body() : dom->op(0)) : nullptr;
    if (implicit && (args.size() > 1 || is_static(value)) && assignable(world, implicit->dom(), value))
        return note(Diag::inferred, {text});
    if (lacks_return(world, pi, value)) return note(Diag::call_with_ret, {text});
    if (n > 1 && k == 1 && static_cast<size_t>(n) == args.size()) {
        std::string all;
        for (auto& a : args) all += (all.empty() ? "" : ", ") + errors.source_text(a.ast->arg->span);
        return d.note(Diag::takes_a_tuple, {}, {fun, fun + " (" + all + ")"}), void();
    }
    auto next = pi->codom()->isa<Pi>();
    if (tuple && k != n && next && !next->is_implicit() && assignable(world, dom, world.extract(value, 0)))
        return note(Diag::takes_one_by_one, {fun + arguments_text(errors, tuple)});
    auto& tokens = world.token_types();
    if (first && k < n && tokens.contains(first) && !(k == 1 && tokens.contains(value->type()))) {
        auto declared = shown_domain(pi, implicit)->isa<Sigma>();
        return d.note(Diag::token_missing, {}, {errors.show(declared ? declared->op(0) : first)}), void();
    }
    if (next && k != n && k == lit_arity(world, next->dom())) return note(Diag::argument_before, {errors.show(dom)});
    auto given = tuple ? k : std::max<int64_t>(1, lit_arity(world, value->type()));
    if (n > 1 && given != n) return note(Diag::number_of_arguments, {std::to_string(n), std::to_string(given)});
}

void hint_callee(Errors& errors, Diagnostic& d, const ast::Expr* callee, const ast::Expr* arg) {
    if (arg->kind == ast::ExprKind::Sigma) {
        d.note(Diag::element_syntax, {}, {errors.source_text(callee->span)});
        return;
    }
    Span end{callee->span.file, callee->span.end, callee->span.end};
    auto between = errors.diags().sources().text({end.file, end.end, arg->span.begin});
    if (between.find('\n') != between.npos) d.note(Diag::maybe_unended, end);
}

} // namespace mim
