// SPDX-License-Identifier: MIT
// `ret p = f $ a; e`: f (a, cn p = e)
#include <numeric>

#include "sema/block.h"
#include "sema/implicit.h"
#include "sema/misfit.h"

namespace mim {

struct Blocks::RetCall {
    Res callee, arg;
    Lam* lam; ///< the continuation: its body is what follows
    Span span;
};

Res Blocks::ret_block(Decls decls, const ast::Expr* body) {
    std::vector<RetCall> calls;
    std::vector<uint32_t> in_order;
    auto plan = ret_plan(decls, in_order);
    Frame frame(decls);
    bool ok = true;
    Res res;
    {
        Enclosing::Function function(enclosing_, enclosing_.function());
        for (auto& s : plan) {
            auto ret = s.kind == PlanStep::One ? ast::isa<ast::Ret>(decls[s.members[0]]) : nullptr;
            if (!ret) {
                step(frame, s);
                continue;
            }
            RetCall call{{}, {}, nullptr, ret->span};
            if (!begin_ret(ret, call)) {
                ok = false;
                continue;
            }
            calls.push_back(call);
            enclosing_.enter(call.lam);
        }
        res = terms_.expr(body);
    }
    if (!ok || !res) return {};
    return end_rets(calls, res, result_span(body));
}

/// The plan of the block, or all declarations in the order written, which `in_order` holds then.
Plan Blocks::ret_plan(Decls decls, std::vector<uint32_t>& in_order) {
    auto plan = plans_.find(decls);
    if (!plan.empty()) return plan;
    in_order.resize(decls.size());
    std::iota(in_order.begin(), in_order.end(), 0);
    for (auto& i : in_order) plan.push_back({PlanStep::One, {&i, 1}});
    return plan;
}

/// Builds the calls, from the last one, whose continuation has this result, which is at `last`.
Res Blocks::end_rets(std::span<const RetCall> calls, Res res, Span last) {
    for (auto i = calls.size(); i-- > 0;) {
        auto& c = calls[i];
        if (!at(last, [&] { return world_.set(c.lam, world_.ff(), res.def), res.def; })) return {};
        world_.notes.set_end(c.lam, last);
        last        = c.span;
        world_.here = c.span;
        res.def     = at(c.span, [&] {
            Lam* group[] = {c.lam};
            world_.close(group);
            return world_.app(c.callee.def, {c.arg.def, c.lam});
        });
        res.view    = nullptr;
        if (!res) return {};
        set_place(world_, res.def, c.span);
    }
    return res;
}

/// Applies the implicit arguments, makes the continuation and brings the pattern into scope; its names are poison after
/// a report.
bool Blocks::begin_ret(const ast::Ret* ret, RetCall& call) {
    call.callee = terms_.expr(ret->callee);
    call.arg    = terms_.expr(ret->arg);
    if (call.callee && call.arg && ret_implicits(ret, call.callee, call.arg) && bind_result(ret, call)) return true;
    names_.bind(ret->pattern, {names_.bind_root(nullptr, nullptr), 0, 1}, nullptr);
    return false;
}

bool Blocks::bind_result(const ast::Ret* ret, RetCall& call) {
    auto& [callee, arg, lam, span] = call;
    effects_.take_over(callee.def);
    effects_.take_over(arg.def);
    auto type = world_.refresh(callee.def->type());
    auto pi   = type->isa<Pi>();
    auto bad  = [&, callee = callee.def] {
        auto& d       = error(Diag::not_a_return, ret->callee->span, {show(callee), show(type)});
        bool is_value = pi && !pi->is_cn();
        auto call     = source_text(ret->callee->span) + " " + source_text(ret->arg->span);
        if (is_value) d.note(Diag::bind_in_block, {}, {"`let " + source_text(ret->pattern->span) + " = " + call + ";`"});
        return false;
    };
    if (!pi || !pi->is_cn() || lit_arity(world_, pi->dom()) != 2) return bad();
    auto taken = pi->dom()->isa<Arr>() ? pi->dom()->as<Arr>()->body() : pi->dom()->op(0);
    arg        = expectations_.fit(taken, arg, ret->arg->span);
    if (!arg) return false;
    auto result = return_domain(pi->dom(), arg.def, ret->arg);
    if (!result) return false;
    auto cont = result->isa<Pi>();
    if (!cont || !cont->is_cn()) return bad();
    lam = world_.mut_lam(cont);
    world_.holes.enter(lam);
    world_.notes.set_span(lam, span);
    auto fun = callee.view ? elem(callee.view->dom, 1) : nullptr;
    Res value{lam->var(), fun ? fun->dom : nullptr};
    if (!patterns_.check(ret->pattern, value, ret->pattern->span)) return false;
    tokens_.name(ret->pattern, value.def);
    auto root = names_.bind_root(value.def, value.view);
    names_.bind(ret->pattern, {root, 0, 1}, value.view);
    debug_names_.keep(lam, root, true);
    return true;
}

/// Implicit arguments in front of [A, Cn B], found from the argument alone.
bool Blocks::ret_implicits(const ast::Ret* ret, Res& callee, Res arg) {
    while (true) {
        auto pi = world_.refresh(callee.def->type())->isa<Pi>();
        if (!pi || !pi->is_implicit()) return true;
        const Def* res = nullptr;
        if (auto found = match_first(world_, pi, arg.def)) {
            try {
                res = world_.app(callee.def, found);
            } catch (const Error& e) {
                if (!e.trace.empty()) return report(e, ret->arg->span), false;
            } // placeholders find out what the problem is
        }
        if (!res) {
            auto hole = holes_.make(pi->dom(), ret->callee->span, pi, ret->callee);
            res       = at(ret->callee->span, [&] { return world_.app(callee.def, hole); });
            if (!res) return false;
        }
        callee = {res, codom(callee.view)};
    }
}

/// The type of the second element of `dom` when the first is `arg`, which stands at this place; null after a report.
const Def* Blocks::return_domain(const Def* dom, const Def* arg, const ast::Expr* place) {
    const Def* first = dom->isa<Arr>() ? dom->as<Arr>()->body() : dom->op(0);
    return at(place->span, [&]() -> const Def* {
        if (!assignable(world_, first, arg)) {
            Misfit misfit{first, nullptr, arg, place};
            while (narrow(world_, misfit)) {}
            Error e(Diag::not_assignable, {world_.refresh(misfit.dom), misfit.value, misfit.value->type()});
            report(e, misfit.place->span);
            return nullptr;
        }
        dom = world_.refresh(dom);
        if (!dom->var()) return elem_type(world_, dom, arg, world_.lit_idx(2, 1)); // e is not mentioned
        return elem_type(world_, dom, world_.tuple({arg, world_.unit()}), world_.lit_idx(2, 1));
    });
}

} // namespace mim
