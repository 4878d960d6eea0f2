// SPDX-License-Identifier: MIT
// Functions: lam/con/fun and λ/cn/fn alike. The signature makes one λ for each parameter group and, where the result type is
// written, gives them their types before the body is read, so that recursive uses know them; else the body's type decides.
#include <utility>

#include "ir/token_types.h"
#include "sema/elab.h"

namespace mim {

Res Elab::lambda(const ast::Lam* e) {
    Fun f;
    f.ast      = &e->fun;
    f.span     = e->span;
    auto holes = open_.size();
    auto mark  = scopes_.mark();
    bool ok    = signature(f) && body(f);
    scopes_.pop(mark);
    if (!ok || !close(std::span(&f, 1), holes)) return {};
    return {f.lam(), f.view};
}

/*
 * signature
 */

bool Elab::signature(Fun& f) {
    auto& ast = *f.ast;
    if (ast.groups.empty()) return false; // the parser has said so
    bool ok = true;
    for (size_t i = 0; i < ast.groups.size(); ++i) {
        bool last = i + 1 == ast.groups.size();
        f.groups.push_back(
            {ast.groups[i].pattern, nullptr, nullptr, nullptr, ast.groups[i].implicit, last && ast.form == ast::LamForm::Fun});
        ok &= group_domain(f, f.groups.back());
        if (ok) bind_group(f.groups.back());
        else bind_poison(f.groups.back());
    }
    if (ast.form != ast::LamForm::Lam) {
        if (ok) set_types(f, {world_.bot()});
        return ok;
    }
    if (!ast.codomain) return ok;
    auto codom = type(ast.codomain);
    if (!codom || !ok) return false;
    set_types(f, codom);
    return true;
}

bool Elab::group_domain(Fun& f, Group& g) {
    Ty dom;
    if (!g.cps) {
        dom = pattern_type(g.pattern);
    } else if (!f.ast->codomain) {
        error(Diag::needs_result_type, f.name ? f.name->span : f.span,
              {f.name ? f.name->name.str() : "fn", "a `fun` returns through a continuation, whose type must be known"});
        return false;
    } else {
        dom = pair_type(g.pattern, [&] { return return_type(f.ast->codomain); });
    }
    if (!dom) return false;
    g.dom   = dom.type;
    g.view  = dom.view;
    auto pi = at(g.pattern->span, [&] { return world_.pi(g.dom, world_.bot(), g.implicit); });
    if (!pi) return false;
    g.lam = world_.mut_lam(pi);
    world_.enter(g.lam);
    if (f.name && f.name->name) world_.set_name(g.lam, f.name->name);
    world_.set_span(g.lam, f.name ? f.name->span : f.span);
    if (g.view && !g.view->is_hint && !g.view->names.empty())
        world_.set_fields(g.lam, {g.view->names.begin(), g.view->names.end()});
    return true;
}

void Elab::bind_group(Group& g) {
    auto root = g.root = bind_root(g.lam->var(), g.view);
    if (g.cps) bind(g.pattern, {root, 0, 2}, elem(g.view, 0));
    else bind(g.pattern, {root, 0, 1}, g.view);
    if (!g.is_named) keep_names(g.lam, root, true);
    g.is_named = true;
    if (!g.cps) return;
    if (auto b = scopes_.find(return_sym()); b && plans_->is_ambiguous(b->span)) return;
    bind_name({return_sym(), {}}, {root, 1, 2}, elem(g.view, 1), Binding::Param);
}

void Elab::bind_poison(const Group& g) {
    auto root = bind_root(nullptr, nullptr);
    bind(g.pattern, {root, 0, 1}, nullptr);
    if (g.cps) bind_name({return_sym(), {}}, {root, 0, 1}, nullptr, Binding::Param);
}

const Pi* Elab::pi_over(const Def* dom, const Lam* lam, const Def* codom, bool implicit) {
    auto var = lam->var()->isa<Var>();
    if (!var || !codom->has(Def::HasDep) || !world_.is_free_in(var, codom)) return world_.pi(dom, codom, implicit)->as<Pi>();
    auto pi = world_.mut_pi(dom, implicit);
    if (auto sym = world_.name(var)) world_.set_name(pi->var(), sym);
    world_.enter(pi);
    return world_.seal(pi, world_.subst(codom, var, pi->var()))->as<Pi>();
}

void Elab::set_types(Fun& f, Ty codom) {
    auto type = codom.type;
    auto view = codom.view;
    for (size_t i = f.groups.size(); i-- > 0;) {
        auto& g = f.groups[i];
        auto pi = pi_over(g.dom, g.lam, type, g.implicit);
        world_.set_type(g.lam, pi);
        type = pi;
        if (view || g.view) view = s_.views.make({.dom = g.view, .codom = view});
        bool last = i + 1 == f.groups.size();
        if (!last || !f.ast->filter) world_.set_filter(g.lam, world_.lit_bool(!last || f.ast->form == ast::LamForm::Lam));
    }
    f.view  = view;
    f.typed = true;
}

/*
 * bodies
 */

const ast::Expr* result_expr(const ast::Expr* e) {
    while (true) {
        if (auto w = ast::isa<ast::Where>(e)) e = w->body;
        else if (auto b = ast::isa<ast::Block>(e)) e = b->body;
        else return e;
    }
}

bool Elab::body(Fun& f) {
    auto ok = read_body(f);
    if (!function_) settle_drops();
    return ok;
}

bool Elab::read_body(Fun& f) {
    if (f.groups.empty()) return false; // the parser has said so
    ++nesting_;
    auto& ast = *f.ast;
    auto last = f.groups.back().lam;
    bool ok   = true;
    if (ast.filter) {
        auto filter = expr(ast.filter);
        ok          = filter && at(ast.filter->span, [&] { return world_.set_filter(last, filter.def), filter.def; });
    }
    auto outer = enter(last);
    Activation activation{&f, activation_};
    bool is_block = ast.form == ast::LamForm::Con && activation_;
    if (!is_block) activation_ = &activation;
    auto res = expr(ast.body);
    take_over(res.def);
    if (!is_block) {
        activation_ = activation.around;
        if (res) res.def = at(result_span(ast.body), [&] { return leave_activation(activation, res.def); });
        if (auto read = read_.find(last); read != read_.end()) f.as_read = read->second;
    }
    enter(outer);
    --nesting_;
    if (!ok || !res) return false;
    if (!f.typed) set_types(f, {world_.refresh(res.def->type()), res.view});
    // an alias of types carries the fields of what it stands for
    if (f.typed && res.view && res.view->inst) carry_result_view(f, res.view);
    for (auto& g : f.groups) name_tokens(g.pattern, g.cps ? world_.extract(g.lam->var(), uint64_t(0)) : g.lam->var());
    auto span = result_span(ast.body);
    for (size_t i = f.groups.size(); i-- > 0;) {
        auto value = i + 1 == f.groups.size() ? res.def : f.groups[i + 1].lam;
        try {
            world_.set_body(f.groups[i].lam, value);
        } catch (const Error& e) {
            report_result(e, f, span);
            return false;
        }
    }
    name_unused_tokens(f);
    world_.set_end(last, span);
    f.ok = true;
    return true;
}

/// A parameter is taken out of its tuple when it is used. That a token was not is an error, which needs its name and place.
void Elab::name_unused_tokens(const Fun& f) {
    if (!world_.has_linear_types()) return;
    for (auto i = f.groups.front().root; i < scopes_.size(); ++i) {
        auto b = scopes_[i];
        if (!b.sym || !b.span || b.state != Binding::Element) continue;
        auto def = force(i);
        if (def && s_.tokens.is_token(def) && !world_.span(def)) world_.set_span(def, b.span);
    }
}

/// A `fun` whose body is the result itself.
void Elab::report_result(const Error& e, const Fun& f, Span span) {
    auto& d = report(e, span);
    if (e.id == Diag::not_assignable && f.ast->form == ast::LamForm::Fun) d.note(Diag::pass_to_return, {}, {source_text(span)});
}

void Elab::carry_result_view(Fun& f, const View* result) {
    auto view = result;
    for (size_t i = f.groups.size(); i-- > 0;) view = s_.views.make({.dom = f.groups[i].view, .codom = view});
    f.view = view;
}

bool Elab::close(std::span<Fun> funs, size_t holes) {
    if (!check_holes(holes)) return false;
    std::vector<Lam*> lams;
    Span span;
    for (auto& f : funs) {
        if (!f.ok) continue;
        span = span.file ? span : f.name ? f.name->span : f.span;
        if (s_.host.owner().empty()) s_.functions.push_back(f.lam());
        for (size_t i = f.groups.size(); i-- > 0;) lams.push_back(f.groups[i].lam);
    }
    if (lams.empty()) return true;
    auto close_all = [&] {
        world_.close(lams);
        for (auto& f : funs)
            if (f.ok && f.as_read) keep_as_read(f);
        return lams[0];
    };
    return at(span, close_all);
}

Lam* Elab::infer_lam(const Def* dom, const std::function<const Def*(Lam*)>& build) {
    auto lam = world_.mut_lam(world_.pi(dom, world_.bot()));
    world_.enter(lam);
    auto mark  = scopes_.mark();
    auto outer = enter(lam);
    auto body  = build(lam);
    take_over(body);
    enter(outer);
    scopes_.pop(mark);
    world_.leave();
    if (!body) return nullptr;
    world_.set_type(lam, pi_over(dom, lam, world_.refresh(body->type()), false));
    world_.set(lam, world_.tt(), body);
    if (!function_) settle_drops();
    Lam* group[] = {lam};
    world_.close(group);
    return lam;
}

} // namespace mim
