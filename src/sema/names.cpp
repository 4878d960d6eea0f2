// SPDX-License-Identifier: MIT
#include "sema/names.h"

#include <algorithm>

#include "sema/elaborate.h"

namespace mim {

size_t num_elems(const ast::TuplePattern* p) {
    size_t n = 0;
    for (auto e : p->elems) {
        auto group = ast::isa<ast::GroupPattern>(e);
        n += group ? group->names.size() : 1;
    }
    return n;
}

/*
 * bringing names into scope
 */

void Names::bind_name(const ast::Binder& b, Source s, const View* view, Binding::Kind kind) {
    if (!b.name) return;
    if (is_ambiguous(b.span)) {
        push({.sym = b.name, .span = b.span, .kind = kind}); // poison
        return;
    }
    push({.sym    = b.name,
          .span   = b.span,
          .view   = view,
          .parent = s.parent,
          .index  = s.index,
          .num    = s.num,
          .state  = Binding::Element,
          .kind   = kind});
}

void Names::bind(const ast::Pattern* p, Source s, const View* view, Binding::Kind kind) {
    switch (p->kind) {
        case ast::PatternKind::NamePattern: return bind_name(ast::as<ast::NamePattern>(p)->name, s, view, kind);
        case ast::PatternKind::AsPattern:
            bind_name(ast::as<ast::AsPattern>(p)->name, s, view, kind);
            return bind(ast::as<ast::AsPattern>(p)->pattern, s, view, kind);
        case ast::PatternKind::TuplePattern: {
            auto tuple = ast::as<ast::TuplePattern>(p);
            Binding whole{.view = view, .parent = s.parent, .index = s.index, .num = s.num, .state = Binding::Element};
            auto parent = push(whole);
            Source elem{parent, 0, static_cast<uint32_t>(num_elems(tuple))};
            for (auto e : tuple->elems) {
                if (auto group = ast::isa<ast::GroupPattern>(e)) {
                    for (auto& n : group->names) {
                        bind_name(n, elem, mim::elem(view, elem.index), kind);
                        ++elem.index;
                    }
                } else {
                    bind(e, elem, elem.num == 1 ? view : mim::elem(view, elem.index), kind);
                    ++elem.index;
                }
            }
            return;
        }
        case ast::PatternKind::GroupPattern:
        case ast::PatternKind::LabelPattern: // an arm binds its payload
        case ast::PatternKind::TypePattern: return;
    }
}

/*
 * binders of types
 */

uint32_t Names::push_binder(LazyBinder* binder) {
    binders_.push_back(binder);
    return push({.parent = static_cast<uint32_t>(binders_.size() - 1), .state = Binding::Lazy});
}

void Names::pop_binders(size_t num) {
    binders_.resize(num);
    forced_ = std::min(forced_, num);
}

void Names::force_binders() {
    for (; forced_ < binders_.size(); ++forced_) force(*binders_[forced_]);
}

void Names::reset(const State& state) {
    pop(state.bindings);
    binders_.resize(state.binders);
    forced_ = state.forced;
}

/*
 * values
 */

const Def* Names::force(uint32_t i) {
    auto b = (*this)[i]; // a copy: forcing may not move it, but keeps this readable
    switch (b.state) {
        case Binding::Pending: return nullptr;
        case Binding::Ready:
            if (b.def && b.def->is_unstable()) (*this)[i].def = b.def = world_.refresh(b.def);
            return b.def;
        case Binding::Lazy: b.def = force(*binders_[b.parent]); break;
        case Binding::Element:
            b.def = force(b.parent);
            if (b.def && b.num != 1) b.def = extract(b.def, b);
            if (b.def && b.sym && b.kind == Binding::Param && (b.def->isa<Var>() || b.def->isa<Extract>()))
                world_.notes.set_name(b.def, b.sym);
            break;
    }
    (*this)[i].def   = b.def;
    (*this)[i].state = Binding::Ready;
    return b.def;
}

const Def* Names::extract(const Def* parent, const Binding& b) {
    try {
        return world_.extract(parent, b.index);
    } catch (const Error& e) {
        report(diags_, world_, e, b.span, [this](const Def* def) { return name_of(def); });
        return nullptr;
    }
}

const Def* Names::force(LazyBinder& binder) {
    if (binder.poison) return nullptr;
    if (binder.mut) return binder.mut->var();
    if (binder.node == Node::Pi) {
        binder.mut = world_.mut_pi(binder.dom, binder.implicit);
    } else {
        auto sigma = world_.mut_sigma(binder.num_ops);
        for (size_t i = 0; i < binder.ops->size(); ++i) world_.set(sigma, i, (*binder.ops)[i]);
        binder.mut = sigma;
    }
    world_.holes.enter(binder.mut);
    return binder.mut->var();
}

/*
 * names of values
 */

/// Whether this binding stands for `def`, without making what it binds.
bool Names::is_bound_by(uint32_t binding, const Def* def) {
    auto& b = (*this)[binding];
    switch (b.state) {
        case Binding::Pending: return false;
        case Binding::Ready: return b.def == def;
        case Binding::Lazy: return binders_[b.parent]->mut && binders_[b.parent]->mut->var() == def;
        case Binding::Element: break;
    }
    if (b.num == 1) return is_bound_by(b.parent, def);
    auto extract = def->isa<Extract>();
    auto index   = extract ? isa_lit(extract->index()) : nullptr;
    return index && index->value() == b.index && is_bound_by(b.parent, extract->tuple());
}

/// `(x, y)`: the names of the pattern's elements, but for a return that the text does not name; nothing if one has
/// none.
std::string Names::pattern_text(uint32_t binding) {
    std::vector<std::string> names;
    uint32_t next = 0, num = 0;
    for (auto i = binding + 1; i < size(); ++i) {
        auto& b      = (*this)[i];
        bool is_elem = b.num && b.parent == binding && (b.state == Binding::Element || b.state == Binding::Ready);
        if (!is_elem || b.index != next) continue; // `as` names an element once more
        ++next, num = b.num;
        if (b.sym == return_sym() && !b.span) continue;
        names.push_back(b.sym ? b.sym.str() : pattern_text(i));
        if (names.back().empty()) return {};
    }
    if (names.empty() || next != num) return {};
    std::string text = names.front();
    for (size_t i = 1; i < names.size(); ++i) text += ", " + names[i];
    return names.size() == 1 ? text : "(" + text + ")";
}

std::string Names::name_of(const Def* def) {
    static constexpr size_t MaxSearch = 20'000;
    for (size_t i = size(), n = 0; i-- > 0 && n < MaxSearch; ++n) {
        auto binding = static_cast<uint32_t>(i);
        if (is_hidden(i) || !is_bound_by(binding, def)) continue;
        auto& b = (*this)[i];
        if (b.sym && find(b.sym) == &b) return b.sym.str();
        if (auto text = b.sym ? "" : pattern_text(binding); !text.empty()) return text;
    }
    return {};
}

const Binding* Names::first_binding(const Def* def) {
    for (size_t i = 0; i < size(); ++i) {
        auto& b = (*this)[i];
        if (!is_hidden(i) && b.sym && b.span && is_bound_by(static_cast<uint32_t>(i), def)) return &b;
    }
    return nullptr;
}

} // namespace mim
