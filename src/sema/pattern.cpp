// SPDX-License-Identifier: MIT
// Patterns, read twice: for the type they state (each type may mention earlier elements) and for the names they bind. Elements
// are extracted only when a name is used.
#include "sema/elab.h"

#include <algorithm>

namespace mim {

static size_t num_elems(const ast::TuplePattern* p) {
    size_t n = 0;
    for (auto e : p->elems) n += e->kind == ast::PatternKind::GroupPattern ? ast::as<ast::GroupPattern>(e)->names.size() : 1;
    return n;
}

static Symbol pattern_name(const ast::Pattern* p) {
    if (auto n = ast::isa<ast::NamePattern>(p)) return n->name.name;
    if (auto a = ast::isa<ast::AsPattern>(p)) return a->name.name;
    return {};
}

/*
 * types
 */

Diagnostic& Elab::needs_type(const ast::NamePattern* p) {
    return error(Diag::needs_type, p->span, {p->name.name ? p->name.name.str() : "_"});
}

Ty Elab::pattern_type(const ast::Pattern* p) {
    switch (p->kind) {
        case ast::PatternKind::NamePattern: {
            auto n = ast::as<ast::NamePattern>(p);
            if (n->type) return type(n->type);
            return needs_type(n), Ty();
        }
        case ast::PatternKind::GroupPattern: return type(ast::as<ast::GroupPattern>(p)->type);
        case ast::PatternKind::TuplePattern: return tuple_type(ast::as<ast::TuplePattern>(p));
        case ast::PatternKind::AsPattern: return pattern_type(ast::as<ast::AsPattern>(p)->pattern);
        case ast::PatternKind::TypePattern: return type(ast::as<ast::TypePattern>(p)->type);
    }
    return {};
}

Elab::SigmaScope::SigmaScope(Elab& elab, size_t num_elems)
    : e(elab)
    , mark(elab.scopes_.mark())
    , lazy_mark(elab.lazies_.size()) {
    types.reserve(num_elems);
    lazy.num_ops = num_elems;
    lazy.ops     = &types;
    root         = e.push_lazy(&lazy);
}

Elab::SigmaScope::~SigmaScope() {
    e.scopes_.pop(mark);
    e.pop_lazies(lazy_mark);
}

void Elab::SigmaScope::add(Ty t, Symbol name) {
    lazy.poison |= !t;
    if (lazy.mut && !lazy.poison) e.world_.set(static_cast<Sigma*>(lazy.mut), types.size(), t.type);
    types.push_back(t.type);
    names.push_back(name);
    views.push_back(t.view);
    any |= name || t.view;
}

Ty Elab::SigmaScope::finish(Span span) {
    if (lazy.poison) return {};
    auto type = e.at(span, [&] { return lazy.mut ? e.world_.seal(static_cast<Sigma*>(lazy.mut)) : e.world_.sigma(types); });
    if (types.size() == 1) return {type, views[0]};
    return {type, any ? e.make_view(names, views) : nullptr};
}

Ty Elab::tuple_type(const ast::TuplePattern* p) {
    if (p->type) return type(p->type);
    SigmaScope scope(*this, num_elems(p));
    size_t left = p->elems.size();
    for (auto e : p->elems) {
        bool last = --left == 0; // nobody can mention it
        if (auto group = ast::isa<ast::GroupPattern>(e)) {
            auto t = type(group->type);
            for (auto& n : group->names) {
                scope.add(t, n.name);
                if (!last) bind_name(n, scope.elem(), t.view, Binding::Param);
            }
            continue;
        }
        auto name = ast::isa<ast::NamePattern>(e);
        bool bare = name && !name->type;
        if (bare) hint_comma(needs_type(name), p, p->elems.size() - left - 1);
        auto t = bare ? Ty() : pattern_type(e);
        scope.add(t, pattern_name(e));
        if (!last) bind(e, scope.elem(), t.view);
    }
    return scope.finish(p->span);
}

Ty Elab::pair_type(const ast::Pattern* first, const std::function<Ty()>& second) {
    SigmaScope scope(*this, 2);
    auto t = pattern_type(first);
    scope.add(t, pattern_name(first));
    bind(first, scope.elem(), t.view);
    auto rest = second();
    scope.add(rest, return_sym());
    return scope.finish(first->span);
}

/*
 * names
 */

uint32_t Elab::bind_root(const Def* def, const View* view) { return scopes_.push({.def = def, .view = view}); }

uint32_t Elab::push_lazy(LazyBinder* lazy) {
    lazies_.push_back(lazy);
    return scopes_.push({.parent = static_cast<uint32_t>(lazies_.size() - 1), .state = Binding::Lazy});
}

void Elab::pop_lazies(size_t mark) {
    lazies_.resize(mark);
    forced_ = std::min(forced_, mark);
}

void Elab::bind_name(const ast::Binder& b, Source s, const View* view, Binding::Kind kind) {
    if (!b.name) return;
    if (plans_->is_ambiguous(b.span)) {
        scopes_.push({.sym = b.name, .span = b.span, .kind = kind}); // poison
        return;
    }
    scopes_.push({.sym    = b.name,
                  .span   = b.span,
                  .view   = view,
                  .parent = s.parent,
                  .index  = s.index,
                  .num    = s.num,
                  .state  = Binding::Element,
                  .kind   = kind});
}

void Elab::bind(const ast::Pattern* p, Source s, const View* view, Binding::Kind kind) {
    switch (p->kind) {
        case ast::PatternKind::NamePattern: return bind_name(ast::as<ast::NamePattern>(p)->name, s, view, kind);
        case ast::PatternKind::AsPattern:
            bind_name(ast::as<ast::AsPattern>(p)->name, s, view, kind);
            return bind(ast::as<ast::AsPattern>(p)->pattern, s, view, kind);
        case ast::PatternKind::TuplePattern: {
            auto tuple  = ast::as<ast::TuplePattern>(p);
            auto parent = scopes_.push(
                {.view = view, .parent = s.parent, .index = s.index, .num = s.num, .state = Binding::Element});
            Source elem{parent, 0, static_cast<uint32_t>(num_elems(tuple))};
            for (auto e : tuple->elems) {
                if (auto group = ast::isa<ast::GroupPattern>(e))
                    for (auto& n : group->names) bind_name(n, elem, mim::elem(view, elem.index), kind), ++elem.index;
                else bind(e, elem, elem.num == 1 ? view : mim::elem(view, elem.index), kind), ++elem.index;
            }
            return;
        }
        case ast::PatternKind::GroupPattern:
        case ast::PatternKind::TypePattern: return;
    }
}

const Def* Elab::force(uint32_t i) {
    auto b = scopes_[i]; // a copy: forcing may not move it, but keeps this readable
    switch (b.state) {
        case Binding::Pending: return nullptr;
        case Binding::Ready:
            if (b.def && b.def->is_unstable()) scopes_[i].def = b.def = world_.refresh(b.def);
            return b.def;
        case Binding::Lazy: b.def = force_lazy(*lazies_[b.parent]); break;
        case Binding::Element:
            b.def = force(b.parent);
            if (b.def && b.num != 1) b.def = at(b.span, [&] { return world_.extract(b.def, b.index); });
            if (b.def && b.sym && b.kind == Binding::Param && (b.def->isa<Var>() || b.def->isa<Extract>()))
                world_.set_name(b.def, b.sym);
            break;
    }
    scopes_[i].def   = b.def;
    scopes_[i].state = Binding::Ready;
    return b.def;
}

void Elab::keep_names(const Lam* lam, size_t first, bool are_params) {
    if (!world_.debug || !lam) return;
    for (auto i = first; i < scopes_.size(); ++i) {
        auto b = scopes_[i];
        if (!b.sym || !b.span) continue;
        auto def = force(static_cast<uint32_t>(i));
        if (def && !world_.is_type(def)) world_.add_local(lam, {b.sym, {b.span}, def, are_params, field_names(b.view)});
    }
}

/// A view as it outlives the front end.
const FieldNames* Elab::field_names(const View* view) {
    if (!view || (view->names.empty() && view->elems.empty() && !view->each)) return nullptr;
    auto& known = field_names_[view];
    if (known) return known;
    FieldNames result;
    result.names.assign(view->names.begin(), view->names.end());
    for (auto elem : view->elems) result.elems.push_back(field_names(elem));
    result.each               = field_names(view->each);
    return field_names_[view] = world_.add_fields(std::move(result));
}

const Def* Elab::force_lazy(LazyBinder& lazy) {
    if (lazy.poison) return nullptr;
    if (!lazy.mut) {
        if (lazy.node == Node::Pi) {
            lazy.mut = world_.mut_pi(lazy.dom, lazy.implicit);
        } else {
            auto sigma = world_.mut_sigma(lazy.num_ops);
            for (size_t i = 0; i < lazy.ops->size(); ++i) world_.set(sigma, i, (*lazy.ops)[i]);
            lazy.mut = sigma;
        }
        world_.enter(lazy.mut);
    }
    return lazy.mut->var();
}

/// A placeholder may mention every variable in scope, so all of them must be there before it is made.
void Elab::force_all() {
    for (; forced_ < lazies_.size(); ++forced_) force_lazy(*lazies_[forced_]);
}

/*
 * views
 */

const View* Elab::make_view(std::span<const Symbol> names, std::span<const View* const> elems) {
    for (size_t i = 0; i < names.size(); ++i)
        if (names[i]) s_.field_hints[names[i]] = {i, names.size()};
    View view{.names = {names.data(), names.size()}};
    if (std::ranges::any_of(elems, [](auto e) { return e != nullptr; })) view.elems = {elems.data(), elems.size()};
    return s_.views.make(view);
}

const View* Elab::inst_view(const View* values) { return values ? s_.views.make({.inst = values}) : nullptr; }

/*
 * patterns against values
 */

bool Elab::check_type(const ast::Expr* stated, Res& value, Span span) {
    if (!stated) return true;
    auto t = type(stated);
    if (!t) return false;
    auto ok = at(span, [&] { return world_.assignable(t.type, value.def) ? value.def : nullptr; });
    if (!ok) {
        report(Error(Diag::not_assignable, {world_.refresh(t.type), value.def, value.def->type()}), span);
        return false;
    }
    value.def = world_.coerce(t.type, value.def);
    if (t.view) value.view = t.view;
    return true;
}

bool Elab::check_pattern(const ast::Pattern* p, Res& value, Span span) {
    switch (p->kind) {
        case ast::PatternKind::NamePattern: return check_type(ast::as<ast::NamePattern>(p)->type, value, span);
        case ast::PatternKind::AsPattern: return check_pattern(ast::as<ast::AsPattern>(p)->pattern, value, span);
        case ast::PatternKind::TypePattern: return check_type(ast::as<ast::TypePattern>(p)->type, value, span);
        case ast::PatternKind::GroupPattern: return true;
        case ast::PatternKind::TuplePattern: break;
    }
    auto tuple = ast::as<ast::TuplePattern>(p);
    if (!check_type(tuple->type, value, span)) return false;
    auto n = num_elems(tuple);
    if (value.def->is_unstable()) value.def = world_.refresh(value.def);
    auto arity = world_.lit_arity(value.def->type());
    if (arity != static_cast<int64_t>(n)) {
        error(Diag::pattern_arity, p->span,
              {std::to_string(n), show(value.def->type()), arity < 0 ? "an unknown number" : std::to_string(arity)});
        return false;
    }
    if (n == 1) return check_pattern(tuple->elems[0], value, span);
    std::vector<const View*> views;
    bool stated = false; // a type says more of a part than its value does
    for (auto e : tuple->elems) {
        auto name  = ast::isa<ast::NamePattern>(e);
        auto group = ast::isa<ast::GroupPattern>(e);
        for (size_t k = group ? group->names.size() : 1; k-- > 0;) {
            auto i    = views.size();
            auto view = elem(value.view, i);
            Res part{name && !name->type ? nullptr : world_.extract(value.def, i), view};
            if (part && (group ? !check_type(group->type, part, span) : !check_pattern(e, part, span))) return false;
            views.push_back(part.view);
            stated |= part.view != view;
        }
    }
    auto names = value.view && !value.view->is_hint ? std::span<const Symbol>(value.view->names) : std::span<const Symbol>();
    if (stated) value.view = make_view(names, views);
    return true;
}

} // namespace mim
