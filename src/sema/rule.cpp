// SPDX-License-Identifier: MIT
// Rewrite rules. The left side is elaborated as it is written; that it can fire at all is asked at once.
#include "linear/tokens.h"
#include "sema/elab.h"

namespace mim {

/// The pattern variables of a rule are the leaves of its groups, one after the other.
bool Elab::rule_leaves(const ast::Pattern* p, SigmaScope& scope) {
    if (auto tuple = ast::isa<ast::TuplePattern>(p); tuple && !tuple->type) {
        bool ok = true;
        for (auto e : tuple->elems) ok &= rule_leaves(e, scope);
        return ok;
    }
    auto t = pattern_type(p);
    if (auto group = ast::isa<ast::GroupPattern>(p)) {
        for (auto& n : group->names) {
            scope.add(t, n.name);
            bind_name(n, scope.elem(), t.view, Binding::Param);
        }
    } else if (auto name = ast::isa<ast::NamePattern>(p)) {
        scope.add(t, name->name.name);
        bind_name(name->name, scope.elem(), t.view, Binding::Param);
    } else if (t) {
        error(Diag::bad_rule, p->span, {"name each pattern variable"});
        return false;
    }
    return static_cast<bool>(t);
}

static size_t num_leaves(const ast::Pattern* p) {
    auto tuple = ast::isa<ast::TuplePattern>(p);
    if (!tuple || tuple->type) {
        auto group = ast::isa<ast::GroupPattern>(p);
        return group ? group->names.size() : 1;
    }
    size_t n = 0;
    for (auto e : tuple->elems) n += num_leaves(e);
    return n;
}

static void leaf_names(const ast::Pattern* p, std::vector<ast::Binder>& names) {
    if (auto tuple = ast::isa<ast::TuplePattern>(p))
        for (auto e : tuple->elems) leaf_names(e, names);
    else if (auto group = ast::isa<ast::GroupPattern>(p)) names.insert(names.end(), group->names.begin(), group->names.end());
    else if (auto name = ast::isa<ast::NamePattern>(p)) names.push_back(name->name);
}

/// The left side once its placeholders are filled; its head stays as it is written.
static const Def* refresh_left(World& world, const Def* left) {
    std::vector<const Def*> args;
    for (; left->isa<App>(); left = left->as<App>()->callee()) args.push_back(world.refresh(left->as<App>()->arg()));
    World::Frozen frozen(world);
    for (auto arg = args.rbegin(); arg != args.rend(); ++arg) left = world.app(left, *arg);
    return left;
}

void Elab::rule(const ast::Rule* e) {
    auto holes = open_.size();
    auto mark  = scopes_.mark();
    std::vector<ast::Binder> names;
    auto dom = rule_domain(e, names);
    if (!dom) return;
    RewriteRule rule;
    rule.name  = e->name.name;
    rule.eager = e->is_norm;
    rule.span  = e->span;
    auto lam   = at(e->span, [&] { return world_.mut_lam(world_.pi(dom.type, world_.unit_type())); });
    if (!lam) return;
    world_.enter(lam);
    auto root = bind_root(lam->var(), nullptr);
    for (uint32_t i = 0; i < names.size(); ++i)
        bind_name(names[i], {root, i, static_cast<uint32_t>(names.size())}, nullptr, Binding::Param);
    frozen_app_ = result_expr(e->lhs);
    rule.lhs    = expr(e->lhs).def;
    frozen_app_ = nullptr;
    if (!check_holes(holes)) rule.lhs = nullptr;
    if (rule.lhs) rule.lhs = refresh_left(world_, rule.lhs);
    if (e->cond) rule.when = expr(e->cond).def;
    rule.rhs  = expr(e->rhs).def;
    bool fits = rule.lhs && rule.rhs && world_.assignable(rule.lhs->type(), rule.rhs); // fills placeholders
    bool ok   = check_holes(holes) && rule.lhs && rule.rhs && (!e->cond || rule.when);
    scopes_.pop(mark);
    if (!ok) return;
    rule.rhs = world_.refresh(rule.rhs);
    if (rule.when) rule.when = world_.refresh(rule.when);
    auto binder    = const_cast<Lam*>(lam->as<Lam>());
    auto is_closed = [&](const Def* def, const ast::Expr* text) {
        return !text || check_closed(rule.name, text->span, def, binder);
    };
    if (!is_closed(rule.lhs, e->lhs) || !is_closed(rule.when, e->cond) || !is_closed(rule.rhs, e->rhs)) return;
    world_.set(binder, world_.ff(), world_.unit());
    rule.binder = binder;
    place_variables(binder, names);
    rule.plugin = world_.sym(s_.host.owner());
    try {
        warn_dead_rule(e, rule.lhs);
        if (!fits || check_rule_tokens(e, rule, names)) world_.add_rule(rule);
    } catch (const Error& err) {
        report(err, err.id == Diag::not_assignable ? e->rhs->span : e->lhs->span);
    }
}

/// Errors in the right side name its pattern variables.
void Elab::place_variables(const Lam* binder, std::span<const ast::Binder> names) {
    for (size_t i = 0; i < names.size(); ++i) {
        auto leaf = names.size() == 1 ? binder->var() : world_.extract(binder->var(), i);
        if (!world_.name(leaf)) world_.set_name(leaf, names[i].name);
        world_.set_span(leaf, names[i].span);
    }
}

/// The left side consumes each token that it takes once; the right side, as the body of a function of the pattern variables, does too.
bool Elab::check_rule_tokens(const ast::Rule* e, const RewriteRule& rule, std::span<const ast::Binder> names) {
    if (!s_.has_tokens() || !is_token(rule.binder->var())) return true;
    auto pi    = world_.mut_pi(rule.binder->dom());
    auto codom = world_.subst(rule.lhs->type(), rule.binder->var(), pi->var());
    auto probe = world_.mut_lam(world_.seal(pi, codom));
    world_.set(probe, world_.ff(), world_.subst(rule.rhs, rule.binder->var(), probe->var()));
    for (size_t i = 0; i < names.size(); ++i)
        world_.set_name(names.size() == 1 ? probe->var() : world_.extract(probe->var(), i), names[i].name);
    const Lam* root[] = {probe};
    auto violations   = check_tokens(world_, root);
    for (auto& v : violations) report(Error(v.id, v.args), e->rhs->span);
    return violations.empty();
}

/// A left side that normalizes to something else is in no graph.
void Elab::warn_dead_rule(const ast::Rule* e, const Def* left) {
    auto app = left->isa<App>();
    if (!app) return;
    auto now = world_.app(app->callee(), app->arg());
    if (now != app) diags_.report(Diag::rule_cannot_fire, e->lhs->span, {e->name.name.str(), show(now)});
}

Ty Elab::rule_domain(const ast::Rule* e, std::vector<ast::Binder>& names) {
    size_t n = 0;
    for (auto& g : e->groups) n += num_leaves(g.pattern), leaf_names(g.pattern, names);
    SigmaScope scope(*this, n);
    bool ok = true;
    for (auto& g : e->groups) ok &= rule_leaves(g.pattern, scope);
    return ok ? scope.finish(e->span) : Ty{};
}

} // namespace mim
