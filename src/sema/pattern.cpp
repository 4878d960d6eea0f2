// SPDX-License-Identifier: MIT
#include "sema/pattern.h"

#include "sema/hints.h"
#include "sema/sigma_scope.h"

namespace mim {

static Symbol pattern_name(const ast::Pattern* p) {
    if (auto n = ast::isa<ast::NamePattern>(p)) return n->name.name;
    if (auto a = ast::isa<ast::AsPattern>(p)) return a->name.name;
    return {};
}

/*
 * types
 */

Diagnostic& Patterns::needs_type(const ast::NamePattern* p) {
    auto name             = p->name.name ? p->name.name.str() : "_";
    auto& d               = error(Diag::needs_type, p->span, {name});
    bool is_type_variable = name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z';
    if (is_type_variable)
        d.note(Diag::no_such_word, {},
               {"{" + name + "}", "a type parameter is written `(" + name + ": *)`, or `{" + name + ": *}` if it is inferred"});
    return d;
}

Ty Patterns::type(const ast::Pattern* p) {
    switch (p->kind) {
        case ast::PatternKind::NamePattern: {
            auto n = ast::as<ast::NamePattern>(p);
            if (n->type) return terms_.type(n->type);
            return needs_type(n), Ty();
        }
        case ast::PatternKind::GroupPattern: return terms_.type(ast::as<ast::GroupPattern>(p)->type);
        case ast::PatternKind::TuplePattern: return tuple_type(ast::as<ast::TuplePattern>(p));
        case ast::PatternKind::AsPattern: return type(ast::as<ast::AsPattern>(p)->pattern);
        case ast::PatternKind::TypePattern: return terms_.type(ast::as<ast::TypePattern>(p)->type);
        case ast::PatternKind::LabelPattern: break; // states none
    }
    return {};
}

Ty Patterns::tuple_type(const ast::TuplePattern* p) {
    if (p->type) return terms_.type(p->type);
    SigmaScope scope(errors_, views_, num_elems(p));
    add_elems(scope, p);
    return scope.finish(p->span);
}

Ty Patterns::labelled_type(Ty first, const ast::TuplePattern* p) {
    SigmaScope scope(errors_, views_, num_elems(p) + 1);
    scope.add(first, {});
    add_elems(scope, p);
    return scope.finish(p->span);
}

void Patterns::add_elems(SigmaScope& scope, const ast::TuplePattern* p) {
    size_t left = p->elems.size();
    for (auto e : p->elems) {
        bool last = --left == 0; // nobody can mention it
        if (auto group = ast::isa<ast::GroupPattern>(e)) {
            auto t = terms_.type(group->type);
            for (auto& n : group->names) {
                scope.add(t, n.name);
                if (!last) names_.bind_name(n, scope.elem(), t.view, Binding::Param);
            }
            continue;
        }
        auto name = ast::isa<ast::NamePattern>(e);
        bool bare = name && !name->type;
        if (bare) hint_comma(errors_, needs_type(name), p, p->elems.size() - left - 1);
        auto t = bare ? Ty() : type(e);
        scope.add(t, pattern_name(e));
        if (!last) names_.bind(e, scope.elem(), t.view);
    }
}

Ty Patterns::pair_type(const ast::Pattern* first, const std::function<Ty()>& second) {
    SigmaScope scope(errors_, views_, 2);
    auto t = type(first);
    scope.add(t, pattern_name(first));
    names_.bind(first, scope.elem(), t.view);
    auto rest = second();
    scope.add(rest, names_.return_sym());
    return scope.finish(first->span);
}

/*
 * patterns against values
 */

bool Patterns::check_type(const ast::Expr* stated, Res& value, Span span) {
    if (!stated) return true;
    auto t = terms_.type(stated);
    if (!t) return false;
    value = expectations_.fit(t.type, value, span);
    if (!value) return false;
    auto ok = at(span, [&] { return assignable(world_, t.type, value.def) ? value.def : nullptr; });
    if (!ok) {
        report(Error(Diag::not_assignable, {world_.refresh(t.type), value.def, value.def->type()}), span);
        return false;
    }
    value.def = world_.coerce(t.type, value.def);
    if (t.view) value.view = t.view;
    return true;
}

bool Patterns::check(const ast::Pattern* p, Res& value, Span span) {
    switch (p->kind) {
        case ast::PatternKind::NamePattern: return check_type(ast::as<ast::NamePattern>(p)->type, value, span);
        case ast::PatternKind::AsPattern: return check(ast::as<ast::AsPattern>(p)->pattern, value, span);
        case ast::PatternKind::TypePattern: return check_type(ast::as<ast::TypePattern>(p)->type, value, span);
        case ast::PatternKind::LabelPattern:
        case ast::PatternKind::GroupPattern: return true;
        case ast::PatternKind::TuplePattern: break;
    }
    return check_elems(ast::as<ast::TuplePattern>(p), value, span);
}

bool Patterns::check_elems(const ast::TuplePattern* tuple, Res& value, Span span) {
    if (!check_type(tuple->type, value, span)) return false;
    auto n = num_elems(tuple);
    if (value.def->is_unstable()) value.def = world_.refresh(value.def);
    auto arity = lit_arity(world_, value.def->type());
    if (arity != static_cast<int64_t>(n)) {
        error(Diag::pattern_arity, tuple->span,
              {std::to_string(n), show(value.def->type()), arity < 0 ? "an unknown number" : std::to_string(arity)});
        return false;
    }
    if (n == 1) return check(tuple->elems[0], value, span);
    std::vector<const View*> views;
    bool stated = false; // a type says more of a part than its value does
    for (auto e : tuple->elems) {
        auto name  = ast::isa<ast::NamePattern>(e);
        auto group = ast::isa<ast::GroupPattern>(e);
        for (size_t k = group ? group->names.size() : 1; k-- > 0;) {
            auto i    = views.size();
            auto view = elem(value.view, i);
            Res part{name && !name->type ? nullptr : world_.extract(value.def, i), view};
            if (part && (group ? !check_type(group->type, part, span) : !check(e, part, span))) return false;
            views.push_back(part.view);
            stated |= part.view != view;
        }
    }
    std::span<const Symbol> names;
    if (value.view && !value.view->is_hint) names = value.view->names;
    if (stated) value.view = views_.tuple(names, views);
    return true;
}

} // namespace mim
