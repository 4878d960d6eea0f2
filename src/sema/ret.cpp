// SPDX-License-Identifier: MIT
// `ret p = f $ a; e`: f (a, cn p = e)
#include <numeric>

#include "sema/block.h"

namespace mim {

Res Elab::ret_block(Decls decls, const ast::Expr* body) {
    struct Call {
        Res callee, arg;
        Lam* lam;
        Span span;
    };
    std::vector<Call> calls; // the continuation of each is what follows
    auto plan    = plans_->find(decls);
    bool planned = !plan.empty();
    Frame frame(planned ? decls : Decls());
    frame.decls = decls;
    std::vector<uint32_t> in_order(planned ? 0 : decls.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    for (auto& i : in_order) plan.push_back({PlanStep::One, {&i, 1}});
    blocks_.push_back(decls);
    bool ok    = true;
    auto outer = function_;
    for (auto& s : plan) {
        auto ret = s.kind == PlanStep::One ? ast::isa<ast::Ret>(decls[s.members[0]]) : nullptr;
        if (!ret) {
            step(frame, s);
            continue;
        }
        Call call{{}, {}, nullptr, ret->span};
        if (begin_ret(ret, call.callee, call.arg, call.lam)) calls.push_back(call), enter(call.lam);
        else ok = false;
    }
    auto res = expr(body);
    blocks_.pop_back();
    enter(outer);
    if (!ok || !res) return {};
    auto last = result_span(body);
    for (auto i = calls.size(); i-- > 0;) {
        auto& c = calls[i];
        if (!at(last, [&] { return world_.set(c.lam, world_.ff(), res.def), res.def; })) return {};
        world_.set_end(c.lam, last);
        last        = c.span;
        world_.here = c.span;
        res.def     = at(c.span, [&] {
            Lam* group[] = {c.lam};
            world_.close(group);
            return world_.app(c.callee.def, {c.arg.def, c.lam});
        });
        res.view    = nullptr;
        if (!res) return {};
        place(res.def, c.span);
    }
    return res;
}

/// Applies the implicit arguments, makes the continuation and brings the pattern into scope.
bool Elab::begin_ret(const ast::Ret* ret, Res& callee, Res& arg, Lam*& lam) {
    callee      = expr(ret->callee);
    arg         = expr(ret->arg);
    auto poison = [&] {
        bind(ret->pattern, {bind_root(nullptr, nullptr), 0, 1}, nullptr);
        return false;
    };
    if (!callee || !arg || !ret_implicits(ret, callee, arg)) return poison();
    take_over(callee.def), take_over(arg.def);
    auto type = world_.refresh(callee.def->type());
    auto pi   = type->isa<Pi>();
    auto bad  = [&] {
        error(Diag::not_a_return, ret->callee->span, {show(callee.def), show(type)});
        return poison();
    };
    if (!pi || !pi->is_cn() || world_.lit_arity(pi->dom()) != 2) return bad();
    auto result = at(ret->arg->span, [&] { return return_domain(pi->dom(), arg.def); });
    if (!result) return poison();
    auto cont = result->isa<Pi>();
    if (!cont || !cont->is_cn()) return bad();
    lam = world_.mut_lam(cont);
    world_.enter(lam);
    world_.set_span(lam, ret->span);
    auto fun = callee.view ? elem(callee.view->dom, 1) : nullptr;
    Res value{lam->var(), fun ? fun->dom : nullptr};
    if (!check_pattern(ret->pattern, value, ret->pattern->span)) return poison();
    name_tokens(ret->pattern, value.def);
    auto root = bind_root(value.def, value.view);
    bind(ret->pattern, {root, 0, 1}, value.view);
    keep_names(lam, root, true);
    return true;
}

/// Implicit arguments in front of [A, Cn B], found from the argument alone.
bool Elab::ret_implicits(const ast::Ret* ret, Res& callee, Res arg) {
    while (true) {
        auto pi = world_.refresh(callee.def->type())->isa<Pi>();
        if (!pi || !pi->is_implicit()) return true;
        const Def* res = nullptr;
        if (auto found = match_first(pi, arg.def)) {
            try {
                res = world_.app(callee.def, found);
            } catch (const Error& e) {
                if (!e.trace.empty()) return report(e, ret->arg->span), false;
            } // placeholders find out what the problem is
        }
        if (!res) {
            auto hole = make_hole(pi->dom(), ret->callee->span, pi, ret->callee);
            res       = at(ret->callee->span, [&] { return world_.app(callee.def, hole); });
            if (!res) return false;
        }
        callee = {res, codom(callee.view)};
    }
}

/// The type of the second element of `dom` when the first is `arg`.
const Def* Elab::return_domain(const Def* dom, const Def* arg) {
    const Def* first = dom->isa<Arr>() ? dom->as<Arr>()->body() : dom->op(0);
    if (!world_.assignable(first, arg)) throw Error(Diag::not_assignable, {world_.refresh(first), arg, arg->type()});
    dom = world_.refresh(dom);
    if (!dom->var()) return world_.elem_type(dom, arg, world_.lit_idx(2, 1)); // e is not mentioned
    return world_.elem_type(dom, world_.tuple({arg, world_.unit()}), world_.lit_idx(2, 1));
}

} // namespace mim
