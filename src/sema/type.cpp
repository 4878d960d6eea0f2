// SPDX-License-Identifier: MIT
#include "sema/type.h"

#include <deque>

namespace mim {

static bool is_literal(ast::ExprKind kind) {
    return kind == ast::ExprKind::NatLit || kind == ast::ExprKind::IdxLit || kind == ast::ExprKind::StrLit;
}

/// `[1, 2]`: the first element, if all are literals.
static const ast::Expr* first_of_values(const ast::TuplePattern* elems) {
    const ast::Expr* first = nullptr;
    for (auto p : elems->elems) {
        auto type = ast::isa<ast::TypePattern>(p);
        if (!type || !is_literal(type->type->kind)) return nullptr;
        if (!first) first = type->type;
    }
    return first;
}

Res Types::sigma(const ast::Sigma* e) {
    if (auto first = first_of_values(e->elems)) {
        auto value = terms_.expr(first);
        auto text  = source_text(e->span);
        if (text.size() > 2) text.front() = '(', text.back() = ')';
        if (!value) return {};
        auto& d = error(Diag::not_a_type, first->span, {show(value.def), show(value.def->type())});
        d.note(Diag::did_you_mean, {}, {text});
        return {};
    }
    auto t = patterns_.tuple_type(e->elems);
    return {t.type, views_.type_of(t.view)};
}

Res Types::pi(const ast::Pi* e) {
    auto n    = e->domains.size();
    auto mark = names_.mark();
    std::deque<LazyBinder> binders; // stable addresses
    std::vector<const View*> views(n);
    Names::Block scope(names_);
    bool poison = false;
    for (size_t i = 0; i < n && !poison; ++i) {
        auto& d  = e->domains[i];
        bool fn  = e->form == ast::PiForm::Fn && i + 1 == n;
        auto ret = [&] { return return_type(e->codomain); };
        auto dom = fn ? patterns_.pair_type(d.pattern, ret) : patterns_.type(d.pattern);
        views[i] = dom.view;
        poison   = !dom;
        if (poison || fn) {
            if (!poison) binders.push_back({Node::Pi, d.implicit, dom.type});
            continue;
        }
        binders.push_back({Node::Pi, d.implicit, dom.type});
        if (i + 1 < n || e->codomain) names_.bind(d.pattern, {names_.push_binder(&binders.back()), 0, 1}, dom.view);
    }
    Ty codom{world_.bot()};
    if (e->form == ast::PiForm::Pi && !poison) codom = terms_.type(e->codomain);
    names_.pop(mark);
    Res res{codom.type};
    auto view = codom.view;
    for (auto i = binders.size(); i-- > 0 && res && !poison;) {
        auto& b = binders[i];
        res.def = at(e->span, [&] {
            auto has_names = b.mut && views[i] && !views[i]->is_hint && !views[i]->names.empty();
            if (has_names) world_.notes.set_fields(b.mut, {views[i]->names.begin(), views[i]->names.end()});
            if (b.mut) return world_.seal(static_cast<Pi*>(b.mut), res.def);
            return world_.pi(b.dom, res.def, b.implicit);
        });
        if (view || views[i]) view = views_.make({.dom = views[i], .codom = view});
    }
    if (poison) return {};
    res.view = views_.type_of(view);
    return res;
}

Ty Types::return_type(const ast::Expr* codomain) {
    auto t = terms_.type(codomain);
    if (!t) return {};
    auto view = t.view ? views_.make({.dom = t.view}) : nullptr;
    return {at(codomain->span, [&] { return world_.cn(t.type); }), view};
}

} // namespace mim
