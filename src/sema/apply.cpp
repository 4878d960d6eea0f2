// SPDX-License-Identifier: MIT
#include "sema/apply.h"

#include <algorithm>

#include "sema/hints.h"
#include "sema/implicit.h"
#include "sema/inputs.h"
#include "sema/misfit.h"
#include "sema/scratch.h"

namespace mim {

/// `f @(_, _, Nat)`
static bool has_placeholders(const ast::App* app) {
    auto group   = app->explicit_implicit ? ast::isa<ast::Tuple>(app->arg) : nullptr;
    auto is_hole = [](const ast::Expr* elem) { return elem->kind == ast::ExprKind::Hole; };
    return group && std::ranges::any_of(group->elems, is_hole);
}

Res Applications::app(const ast::App* e) {
    size_t n              = 1;
    const ast::Expr* head = e->callee;
    for (; head->kind == ast::ExprKind::App; head = ast::as<ast::App>(head)->callee) ++n;
    auto open   = open_type(head);
    auto callee = open ? Res{open->hole} : terms_.expr(head);
    Scratch args(args_);
    for (size_t i = 0; i < n; ++i) args.push({});
    auto next = e;
    for (size_t i = n; i-- > 0;) {
        args[i].ast = next;
        if (i) next = ast::as<ast::App>(next->callee);
    }
    if (callee && !open && head->kind != ast::ExprKind::Hole && is_indexing(callee, next->arg)) {
        auto& d = error(Diag::not_a_function, head->span, {show(callee.def, head), show(callee.def->type())});
        hint_callee(errors_, d, head, next->arg);
        callee      = {};
        args[0].ast = nullptr;
    }
    bool poison = !callee && !open;
    for (size_t i = 0; i < n; ++i) {
        if (!args[i].ast) continue; // what is wrong with it was said
        auto arg = args[i].ast->arg;
        if (arg->kind == ast::ExprKind::Hole) continue; // typed by the callee
        if (has_placeholders(args[i].ast)) continue;    // so are those in a group
        auto res    = terms_.expr(arg);
        args[i].res = res;
        poison |= !res;
    }
    if (open && !poison) return open_types_.apply(*open, e->span, args.values());
    std::optional<World::Frozen> frozen;
    if (e == frozen_) frozen.emplace(world_);
    if (poison) return {};
    // what the callee tells of the type of its argument, another one would not
    auto given   = args[n - 1].res.def;
    bool is_told = on_read && given && has_known_type(given);
    auto res     = apply(callee, head, args.values());
    if (res && is_told) on_read({e, callee.def, args[n - 1].res.def, res.def});
    return res;
}

/// The type with parameters that the head of an application names, while its definition is read; else null.
const OpenType* Applications::open_type(const ast::Expr* head) {
    auto name    = ast::isa<ast::Name>(head);
    auto annex   = ast::isa<ast::Annex>(head);
    auto binding = name || annex ? names_.find(name ? name->sym : annex->sym) : nullptr;
    if (!binding || !binding->open) return nullptr;
    binding->used = true;
    return binding->open;
}

Res Applications::apply(Res callee, const ast::Expr* head, std::span<Arg> args) {
    auto holes = holes_.mark();
    auto res   = apply_all(callee, head, args);
    if (!res) holes_.forget(holes); // reported
    else if (holes_.mark() > holes) holes_.drop_solved(holes);
    return res;
}

/// A pointer has the names of what is behind it as those of each element; only debuggers look there.
const View* Applications::pointee_view(const Def* type, const View* arg) {
    auto axm = world_.debug && arg ? head_axiom(type) : nullptr;
    if (!axm || !axm->axiom().has(Axiom::Pointer) || !is_type(type)) return nullptr;
    auto pointee = arg->inst ? arg : arg->elem(0); // `%mem.Ptr T`, `%mem.PtrAS (T, a)`
    return inst(pointee) ? views_.type_of(views_.make({.each = pointee->inst})) : nullptr;
}

Res Applications::apply_all(Res callee, const ast::Expr* head, std::span<Arg> args) {
    auto last      = args.back().res.view;
    auto outermost = args.back().ast;
    auto place     = outermost->span;
    effects_.take_over(callee.def);
    Call call{Spine(world_, callee.def), callee.view, head, callee.def->type()};
    if (world_.debug) call.names.emplace(world_, views_, callee.def->type());
    for (; !args.empty(); args = args.subspan(1))
        if (!apply_first(call, args)) return {};
    const Def* res = nullptr;
    try {
        res = call.spine.get();
    } catch (const Error& e) {
        errors_.report_call(e, outermost);
        return {};
    }
    res = res->is_unstable() ? world_.refresh(res) : res;
    res = activations_.make_at_entry(callee.def, res, place);
    effects_.make(res, place);
    if (!call.view) call.view = pointee_view(res, last);
    if (!call.view && call.names) call.view = call.names->result();
    return {res, call.view};
}

/// `a[0]`: a type behind a value that is not a function, but has elements.
bool Applications::is_indexing(Res callee, const ast::Expr* arg) {
    auto type = callee.def->type();
    return arg->kind == ast::ExprKind::Sigma && (type->isa<Arr>() || type->isa<Sigma>());
}

/// Applies the function so far to the first of these arguments, and to the implicit ones in front of it.
bool Applications::apply_first(Call& call, std::span<Arg> args) {
    auto& arg = args.front();
    if (!arg.ast->explicit_implicit) {
        auto pi       = call.spine.type()->isa<Pi>();
        auto implicit = pi && pi->is_implicit() ? pi : nullptr;
        return apply_implicits(call, args) && apply_explicit(call, args, implicit);
    }
    auto type = world_.refresh(call.spine.type());
    auto pi   = type->isa<Pi>();
    if (!pi || pi->is_implicit()) return apply_explicit(call, args, nullptr);
    auto right = one_group(call, args);
    if (right.empty()) {
        error(Diag::not_implicit, arg.ast->arg->span, {show(call.spine.get()), show(type)});
        return false;
    }
    auto head = source_text(call.head->span);
    auto& d   = error(Diag::not_implicit, arg.ast->arg->span, {head, show(call.declared)}); // with the names of the declaration
    d.note(Diag::takes_a_tuple, {}, {head, right});
    return false;
}

/// A group of implicit arguments with `_` among them, each of which has the type of the parameter in its place.
Res Applications::group(const Pi* pi, const ast::Tuple* text) {
    auto dom     = world_.refresh(pi->dom());
    bool is_each = lit_arity(world_, dom) == static_cast<int64_t>(text->elems.size()) && !dom->is_mut();
    if (!is_each) return terms_.expr(text);
    std::vector<const Def*> elems;
    for (auto elem : text->elems) {
        auto type    = dom->isa<Arr>() ? dom->as<Arr>()->body() : dom->op(elems.size());
        bool is_open = elem->kind == ast::ExprKind::Hole;
        auto def     = is_open ? holes_.make(type, elem->span, nullptr, nullptr) : terms_.expr(elem).def;
        if (!def) return {};
        elems.push_back(def);
    }
    return {world_.tuple(elems)};
}

/// `f @A @B` where A and B are one group: `f @(A, B)`; empty if that is not so. The first of these arguments is the second of the call.
std::string Applications::one_group(const Call& call, std::span<Arg> args) {
    std::vector<const ast::Expr*> given;
    auto before = ast::isa<ast::App>(args.front().ast->callee);
    for (; before && before->explicit_implicit; before = ast::isa<ast::App>(before->callee))
        given.insert(given.begin(), before->arg);
    for (auto& arg : args) {
        if (!arg.ast->explicit_implicit) break;
        given.push_back(arg.ast->arg);
    }
    auto pi       = call.before ? call.before->isa<Pi>() : nullptr;
    bool is_group = pi && pi->is_implicit() && lit_arity(world_, pi->dom()) == static_cast<int64_t>(given.size());
    if (!is_group) return {};
    auto text = source_text(call.head->span) + " @(";
    for (auto arg : given) text += (arg == given.front() ? "" : ", ") + source_text(arg->span);
    return text + ")";
}

/// `implicit`: the type of the function before implicit arguments were inferred right before this argument, or null.
bool Applications::apply_explicit(Call& call, std::span<Arg> args, const Pi* implicit) {
    auto& arg = args.front();
    if (!arg.res) { // `_`
        auto pi = world_.refresh(call.spine.type())->isa<Pi>();
        if (!pi) {
            auto callee = call.spine.get();
            error(Diag::not_a_function, call.head->span, {show(callee), show(callee->type())});
            return false;
        }
        if (has_placeholders(arg.ast)) arg.res = group(pi, ast::as<ast::Tuple>(arg.ast->arg));
        else arg.res.def = holes_.make(pi->dom(), arg.ast->arg->span, pi, call.head);
        if (!arg.res) return false;
    }
    world_.here = arg.ast->span;
    auto lam    = call.spine.lam();
    try {
        instantiate(call, arg);
        call.apply(arg.res.def, arg.res.view);
        if (lam) effects_.check_passed(lam, arg.res.def, arg.ast->arg);
        effects_.take_over(arg.res.def);
        return true;
    } catch (const Error& e) {
        try {
            report_app(e, call, args, implicit);
        } catch (const Error&) { // the domain contradicts itself, now that more of it is known: it cannot be shown
            errors_.report_call(e, arg.ast);
        }
        return false;
    }
}

/// `f %core.icmp.ul` where f wants a function without implicit arguments: those of the argument are inferred, too. So are those of `nil`
/// where f wants no function.
void Applications::instantiate(Call& call, Arg& arg) {
    auto implicit = [&] {
        auto pi = world_.refresh(arg.res.def->type())->isa<Pi>();
        return pi && pi->is_implicit() ? pi : nullptr;
    };
    bool is_tuple = arg.res.def->isa<Tuple>() || arg.res.def->isa<Pack>();
    if (!is_tuple && !implicit()) return;
    auto callee = world_.refresh(call.spine.type())->isa<Pi>();
    if (!callee) return;
    auto wanted = world_.refresh(callee->dom())->isa<Pi>();
    if (!wanted) {
        arg.res = expectations_.fit(callee->dom(), arg.res, arg.ast->arg->span);
        return;
    }
    if (is_tuple || wanted->is_implicit()) return;
    if (!wanted->has(Def::HasHole) && assignable(world_, wanted, arg.res.def)) return;
    while (auto pi = implicit()) {
        auto span = arg.ast->arg->span;
        arg.res   = {world_.app(arg.res.def, holes_.make(pi->dom(), span, pi, arg.ast->arg)), codom(arg.res.view)};
    }
}

void Applications::report_app(const Error& e, Call& call, std::span<Arg> args, const Pi* implicit) {
    auto& arg = args.front();
    if (e.trace.empty() && e.id == Diag::not_assignable) return report_misfit(call, args, implicit);
    if (!e.trace.empty() || e.id != Diag::not_a_function) return errors_.report_call(e, arg.ast);
    auto place = arg.ast->callee;
    auto def   = [&](size_t i) { return std::get<const Def*>(e.args[i]); };
    auto& d    = error(e.id, place->span, {show(def(0), place), show(def(1))});
    hint_callee(errors_, d, place, arg.ast->arg);
}

/// A function `fn` in a call in front of this argument of it, also in one tuple with it; null if there is none.
static const ast::Expr* find_fn_before(const ast::App* call, const ast::Expr* place) {
    auto is_fn = [](const ast::Expr* e) {
        auto lam = ast::isa<ast::Lam>(e);
        return lam && lam->fun.form == ast::LamForm::Fun;
    };
    if (auto tuple = ast::isa<ast::Tuple>(call->arg); tuple && place != call->arg)
        for (auto elem : tuple->elems) {
            if (elem == place) break;
            if (is_fn(elem)) return elem;
        }
    for (auto before = ast::isa<ast::App>(call->callee); before; before = ast::isa<ast::App>(before->callee)) {
        if (is_fn(before->arg)) return before->arg;
        auto tuple = ast::isa<ast::Tuple>(before->arg);
        auto found = tuple ? std::ranges::find_if(tuple->elems, is_fn) : nullptr;
        if (tuple && found != tuple->elems.end()) return *found;
    }
    return nullptr;
}

/// `map (fn x = …) 3` where map takes a function of type `T → U`, for any types: that takes the `fn` for a function without a result, of a
/// value and a continuation, so the argument does not fit. False if the mistake is another one.
bool Applications::report_fn(Call& call, const ast::App* app, const Misfit& misfit) {
    auto pair = world_.refresh(misfit.dom)->isa<Sigma>();
    if (!pair || pair->var() || pair->num_ops() != 2) return false;
    auto result = pair->op(1)->isa<Pi>();
    auto fn     = result && result->is_cn() ? find_fn_before(app, misfit.place) : nullptr;
    if (!fn || !assignable(world_, pair->op(0), misfit.value)) return false;
    auto wanted = world_.pi(pair->op(0), result->dom());
    auto& d     = error(Diag::not_assignable, fn->span, {show(wanted), source_text(fn->span), show(world_.cn(pair))});
    d.note(Diag::write_lam, {}, {show(wanted)});
    errors_.note_declaration(d, call.head);
    return true;
}

/// `fun zeros (n: Nat) = return ‹n; 0›`: the placeholder for the result's type stands for no type that mentions a parameter, nor for one
/// of types. False if the mistake is another one.
bool Applications::report_result(const Misfit& misfit) {
    auto type     = world_.refresh(misfit.value->type());
    auto function = type->has(Def::HasHole) ? nullptr : holes_.returns(world_.refresh(misfit.dom));
    if (!function) return false;
    auto why  = level(world_, type) > 0 ? "takes or holds types" : "mentions a parameter";
    auto text = show(type);
    error(Diag::needs_result_type, misfit.place->span,
          {*function, "that of `" + show(misfit.value, misfit.place) + "` " + why + ", so write `: " + text + " =`"});
    return true;
}

/// The next domain with the names of the function's text, if that is known: equal types of functions are one node, with
/// the names of one of them.
static const Def* domain_in_text(const Spine& spine) {
    if (auto lam = spine.lam()) return lam->dom();
    size_t num_groups = 0;
    auto callee       = spine.applied();
    for (auto app = callee ? callee->isa<App>() : nullptr; app; app = callee->isa<App>()) {
        callee = app->callee();
        ++num_groups;
    }
    auto lam = callee ? callee->isa<Lam>() : nullptr;
    for (; lam && num_groups != 0; --num_groups) lam = lam->is_set() ? lam->body()->isa<Lam>() : nullptr;
    return lam ? lam->dom() : nullptr;
}

/// `%mem.lea` wants a pointer to elements whose types are known one by one.
static void hint_dependent(Errors& errors, Diagnostic& d, const Def* wanted, const Def* type) {
    auto array = wanted->isa<Arr>();
    auto sigma = type->isa<Sigma>();
    if (array && array->var() && sigma && sigma->var()) {
        auto form = errors.show(array) + "` that is `" + errors.show(sigma);
        auto why  = "there the type of an element depends on the elements before it; take the value apart as a whole";
        d.note(Diag::no_such_word, {}, {form, why});
        return;
    }
    bool is_same_form = wanted->node() == type->node() && wanted->num_ops() == type->num_ops();
    if (!is_same_form || wanted->is_mut() || type->is_mut()) return;
    for (size_t i = 0; i < wanted->num_ops(); ++i) hint_dependent(errors, d, wanted->op(i), type->op(i));
}

void Applications::report_misfit(Call& call, std::span<Arg> args, const Pi* implicit) {
    auto& arg    = args.front();
    auto pi      = world_.refresh(call.spine.type())->as<Pi>();
    auto in_text = domain_in_text(call.spine);
    Misfit misfit{pi->dom(), in_text ? in_text : call.domain(), arg.res.def, arg.ast->arg};
    auto& [dom, declared, value, place] = misfit;
    if (tokens_.types().hidden(dom, value)) {
        auto& d = report(Error(Diag::not_assignable, {dom, value, value->type()}), place->span);
        errors_.note_declaration(d, call.head);
        return;
    }
    if (report_fn(call, arg.ast, misfit) || report_result(misfit)) return;
    bool is_whole = lacks_return(world_, pi, value);
    while (!is_whole && narrow(world_, misfit)) {}
    if (report_fn(call, arg.ast, misfit)) return;
    is_whole     = place == arg.ast->arg;
    dom          = world_.refresh(dom);
    bool is_open = declared && dom->has(Def::HasHole);
    bool is_told = !is_open || is_partly_known(declared, dom);
    auto wants   = is_told ? dom : declared;
    auto& d      = error(errors_.misfit(value), place->span, {show(wants), show(value, place), show(value->type())});
    try {
        if (is_whole) hint_argument(errors_, d, {pi, implicit, is_open ? declared : dom, call.head, args, is_told});
        if (d.notes.empty()) hint_value(errors_, d, dom, value, place->span);
        if (d.notes.empty()) hint_dependent(errors_, d, wants, value->type());
        bool is_vague = dom->has(Def::HasHole) || (declared && !declared->has(Def::HasDep));
        if (d.notes.empty() && is_vague) hint_other_annex(errors_, d, call.head, dom, value->type());
        tell_apart(errors_, d, wants, value);
        hint_unfolded(errors_, d, wants, value->type());
    } catch (const Error&) {} // no hint, then
    errors_.note_declaration(d, call.head);
}

/*
 * implicit arguments
 */

/// Gives the function the implicit arguments that come before args[0]; false after a report.
bool Applications::apply_implicits(Call& call, std::span<Arg> args) {
    auto head   = call.head;
    world_.here = args.front().ast->span;
    while (true) {
        auto type = call.spine.type();
        if (type->is_unstable()) type = world_.refresh(type);
        auto pi = type->isa<Pi>();
        if (!pi || !pi->is_implicit()) return true;
        bool done = false;
        auto ones = numbers_that_are_one(world_, pi, args);
        auto arg  = ones.empty() ? match_implicit(world_, pi, args) : nullptr;
        if (arg) {
            try {
                call.apply(arg, nullptr);
                done = true;
            } catch (const Error& e) {
                if (!e.trace.empty()) return report(e, args.front().ast->span), false;
            } // a wrong guess: placeholders find out what the problem is
        }
        if (!done) {
            auto lam  = call.spine.applied() ? call.spine.lam() : nullptr;
            auto hole = holes_.make(pi->dom(), head->span, pi, head, lam);
            for (auto i : ones) unify(world_, world_.extract(hole, i), world_.lit_nat(1));
            if (!at(head->span, [&] { return call.apply(hole, nullptr), world_.unit(); })) return false;
        }
    }
}

} // namespace mim
