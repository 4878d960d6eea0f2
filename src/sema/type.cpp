// SPDX-License-Identifier: MIT
// Types. A binder of a type becomes a mutable of the graph only if its variable is used: [Nat, Nat] → Nat costs three look-ups.
#include "sema/elab.h"

namespace mim {

Ty Elab::type(const ast::Expr* e) { return as_type(expr(e), e); }

Ty Elab::as_type(Res r, const ast::Expr* e) {
    if (!r) return {};
    if (!world_.is_type(r.def)) {
        error(Diag::not_a_type, e->span, {show(r.def, e), show(r.def->type())});
        return {};
    }
    return {r.def, inst(r.view)};
}

/// `[1, 2]`: the first element, if all are literals.
static const ast::Expr* first_of_values(const ast::TuplePattern* elems) {
    const ast::Expr* first = nullptr;
    for (auto p : elems->elems) {
        auto type = ast::isa<ast::TypePattern>(p);
        auto kind = type ? type->type->kind : ast::ExprKind::Sigma;
        if (kind != ast::ExprKind::NatLit && kind != ast::ExprKind::IdxLit && kind != ast::ExprKind::StrLit) return nullptr;
        if (!first) first = type->type;
    }
    return first;
}

Res Elab::sigma(const ast::Sigma* e) {
    if (auto first = first_of_values(e->elems)) {
        auto value = expr(first);
        auto text  = source_text(e->span);
        if (text.size() > 2) text.front() = '(', text.back() = ')';
        if (value)
            error(Diag::not_a_type, first->span, {show(value.def), show(value.def->type())}).note(Diag::did_you_mean, {}, {text});
        return {};
    }
    auto t = tuple_type(e->elems);
    return {t.type, inst_view(t.view)};
}

Res Elab::array(const ast::Array* e, size_t dim) {
    if (dim == e->dims.size()) {
        auto t = type(e->body);
        return {t.type, inst_view(t.view)};
    }
    auto each = [&](const View* body) {
        if (!body || !body->inst) return static_cast<const View*>(nullptr);
        return inst_view(s_.views.make({.each = body->inst}));
    };
    auto& d    = e->dims[dim];
    auto arity = expr(d.arity);
    if (!d.name.name || !arity) {
        auto body = array(e, dim + 1);
        if (!arity) return {};
        auto res = nest(arity.def, body, e->span, true);
        res.view = each(body.view);
        return res;
    }
    auto mut = at(d.arity->span, [&] { return world_.mut_arr(arity.def); });
    if (!mut) return {};
    world_.enter(mut);
    auto mark = scopes_.mark();
    scopes_.push({.sym = d.name.name, .span = d.name.span, .def = mut->var(), .kind = Binding::Param});
    world_.set_name(mut->var(), d.name.name);
    auto body = array(e, dim + 1);
    scopes_.pop(mark);
    world_.leave();
    if (!body) return {};
    return {at(e->span, [&] { return world_.seal(const_cast<Arr*>(mut->as<Arr>()), body.def); }), each(body.view)};
}

Res Elab::pi(const ast::Pi* e) {
    auto n    = e->domains.size();
    auto mark = scopes_.mark();
    std::deque<LazyBinder> binders; // stable addresses
    std::vector<const View*> views(n);
    auto lazy_mark = lazies_.size();
    bool poison    = false;
    for (size_t i = 0; i < n && !poison; ++i) {
        auto& d  = e->domains[i];
        bool fn  = e->form == ast::PiForm::Fn && i + 1 == n;
        auto dom = fn ? pair_type(d.pattern, [&] { return return_type(e->codomain); }) : pattern_type(d.pattern);
        views[i] = dom.view;
        poison   = !dom;
        if (poison || fn) {
            if (!poison) binders.push_back({Node::Pi, d.implicit, dom.type});
            continue;
        }
        binders.push_back({Node::Pi, d.implicit, dom.type});
        if (i + 1 < n || e->codomain) bind(d.pattern, {push_lazy(&binders.back()), 0, 1}, dom.view);
    }
    Ty codom{world_.bot()};
    if (e->form == ast::PiForm::Pi && !poison) codom = type(e->codomain);
    scopes_.pop(mark);
    Res res{codom.type};
    auto view = codom.view;
    for (auto i = binders.size(); i-- > 0 && res && !poison;) {
        auto& b = binders[i];
        res.def = at(e->span, [&] {
            if (b.mut) return world_.seal(static_cast<Pi*>(b.mut), res.def);
            return world_.pi(b.dom, res.def, b.implicit);
        });
        if (view || views[i]) view = s_.views.make({.dom = views[i], .codom = view});
    }
    pop_lazies(lazy_mark);
    if (poison) return {};
    res.view = inst_view(view);
    return res;
}

/// Cn U, with the view of U as that of its argument.
Ty Elab::return_type(const ast::Expr* codomain) {
    auto t = type(codomain);
    if (!t) return {};
    auto view = t.view ? s_.views.make({.dom = t.view}) : nullptr;
    return {at(codomain->span, [&] { return world_.cn(t.type); }), view};
}

Res Elab::union_type(const ast::Union* e) {
    auto base   = defs_.size();
    bool poison = false;
    for (auto m : e->members) {
        auto t = type(m);
        poison |= !t;
        defs_.push_back(t.type);
    }
    auto def = poison ? nullptr : at(e->span, [&] { return world_.union_type(Defs(defs_.data() + base, defs_.size() - base)); });
    defs_.resize(base);
    return {def};
}

} // namespace mim
