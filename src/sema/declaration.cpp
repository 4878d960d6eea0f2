// SPDX-License-Identifier: MIT
#include "sema/declaration.h"

#include <algorithm>
#include <unordered_set>

#include "ir/hook.h"
#include "ir/questions.h"

namespace mim {

/*
 * `let`
 */

void Declarations::let(const ast::Let* e) {
    auto holes = holes_.mark();
    auto value = terms_.expr(e->value);
    if (value && !patterns_.check(e->pattern, value, e->value->span)) {
        value = {};
        holes_.forget(holes); // reported
    }
    // the type that the pattern states may have filled some
    if (enclosing_.is_top_level() && !holes_.check(holes)) value = {};
    if (value && value.def->is_unstable()) value.def = world_.refresh(value.def);
    if (auto name = ast::isa<ast::NamePattern>(e->pattern)) let_name(e, name->name, value);
    else let_pattern(e, value);
}

void Declarations::let_name(const ast::Let* e, const ast::Binder& name, Res value) {
    if (auto labels = ast::labels_of(e); labels && name.name) {
        auto& labelled = constructors_.declare(name, labels);
        constructors_.bind(labelled);
        constructors_.complete(labelled, value);
    }
    if (ast::is_annex(name.name)) return define_annex(name, value);
    if (!name.name) return effects_.drop_ignored(e, value.def);
    auto binding = names_.push({.sym = name.name, .span = name.span, .def = value.def, .view = value.view});
    debug_names_.keep(enclosing_.function(), binding, false);
    check_unused(binding, e->value);
}

void Declarations::let_pattern(const ast::Let* e, Res value) {
    effects_.drop_ignored(e, value.def);
    auto root = names_.bind_root(value.def, value.view);
    names_.bind(e->pattern, {root, 0, 1}, value.view, Binding::Let);
    debug_names_.keep(enclosing_.function(), root, false);
    check_unused(root, nullptr);
    for (auto i = root; i < names_.size(); ++i)
        if (auto& b = names_[i]; ast::is_annex(b.sym)) define_annex({b.sym, b.span}, {names_.force(i), b.view});
}

/// Of the names bound from `first` on: one that nobody mentions deserves a warning, or an error if an effect would be
/// lost with it.
void Declarations::check_unused(size_t first, const ast::Expr* value) {
    for (auto i = first; i < names_.size(); ++i) {
        auto b = names_[i];
        if (!b.sym || !b.span) continue;
        bool part = tokens_.exist() && plans_.is_unused_part(b.span);
        if (!part && !plans_.is_unused(b.span)) continue;
        auto def = names_.force(static_cast<uint32_t>(i));
        if (!def) continue;
        if (tokens_.is_lost_with(def, value)) effects_.drop(def, b.span, b.sym.str());
        else if (!part && b.sym.view().front() != '_' && ++num_unused_ <= Plans::MaxWarnings)
            errors_.diags().report(Diag::unused, b.span, {b.sym.str()});
    }
}

/*
 * annexes and axioms
 */

void Declarations::define_annex(const ast::Binder& name, Res value) {
    if (!closed_.check(name.name, name.span, value.def)) value = {};
    if (!add_annex(name.name, name.span, value.def, value.view)) return;
    auto id = shared_.host.annex_id(name);
    if (id && value) world_.annexes.define(*id, name.name, value.def);
}

bool Declarations::add_annex(Symbol name, Span span, const Def* def, const View* view) {
    auto [annex, fresh] = shared_.annexes.define(name, {def, view, span});
    if (!fresh) error(Diag::redefined, span, {name.str()}).note(Diag::declared_here, annex->span, {name.str()});
    return fresh;
}

void Declarations::axm(const ast::Axm* e) {
    auto holes = holes_.mark();
    auto t     = terms_.type(e->type);
    if (!holes_.check(holes) || !closed_.check(e->name.name, e->type->span, t.type)) t = {};
    AxiomType axiom{e, t};
    if (e->subs.empty()) define_axiom(axiom, e->name.name, e->name, {});
    for (auto& sub : e->subs) {
        auto& first = sub.names.front();
        auto names  = std::span(sub.names.begin(), sub.names.size());
        define_axiom(axiom, world_.sym(e->name.name.str() + "." + first.name.str()), first, names.subspan(1));
    }
}

void Declarations::define_axiom(const AxiomType& type, Symbol canonical, const ast::Binder& name,
                                std::span<const ast::Binder> aliases) {
    auto& [decl, t] = type;
    auto axiom      = t ? shared_.host.axiom(*decl, canonical) : nullptr;
    auto def        = axiom ? make_axiom(*decl, *axiom, t.type) : nullptr;
    if (add_annex(canonical, name.span, def, t.view) && def) world_.annexes.define(axiom->id, canonical, def);
    for (auto& alias : aliases) {
        auto sym = world_.sym(decl->name.name.str() + "." + alias.name.str());
        if (add_annex(sym, alias.span, def, t.view) && def) world_.annexes.define(axiom->id, sym, def);
    }
}

/// Phases ask the applications of an axiom with these properties for their arguments. The plugin states them in C++, where no type is.
static std::string misfit(World& world, const Axiom& axiom, const Def* type) {
    static constexpr int max_groups = 64; // of a type that has an end
    if (!axiom.has(Axiom::Stores) && !axiom.has(Axiom::Unaliased)) return {};
    const Pi* last = nullptr;
    auto pi        = type->isa<Pi>();
    for (int group = 0; pi && group != max_groups; ++group, pi = pi->codom()->isa<Pi>()) last = pi;
    auto num = last ? lit_arity(world, last->dom()) : 0;
    if (axiom.has(Axiom::Stores) && num != 3) return "stores` takes a token, a pointer and a value";
    if (axiom.has(Axiom::Unaliased) && num < 2) return "unaliased` takes a token and a pointer";
    return {};
}

const Def* Declarations::make_axiom(const ast::Axm& e, Axiom& axiom, const Def* type) {
    auto groups = num_params(type);
    if (e.has_curry && e.curry > groups) {
        error(Diag::bad_curry, e.span, {e.name.name.str(), std::to_string(e.curry), std::to_string(groups)});
        return nullptr;
    }
    axiom.curry = static_cast<uint8_t>(std::min<size_t>(e.has_curry ? e.curry : groups, 255));
    if (auto wrong = misfit(world_, axiom, type); !wrong.empty()) {
        auto what = "`" + axiom.name.str() + "` has another type: an axiom with the property `" + wrong;
        error(Diag::plugin_fault, e.name.span, {std::string(plugin_name(axiom)), what});
    }
    return at(e.type->span, [&] { return world_.axm(&axiom, type); });
}

/*
 * C functions, `extern`, imports
 */

void Declarations::c_decl(const ast::CDecl* e) {
    auto mark = names_.mark();
    Ty t;
    if (!e->domain) t = terms_.type(e->type);
    else if (!e->is_con) t = patterns_.pair_type(e->domain, [&] { return types_.return_type(e->type); });
    else t = patterns_.type(e->domain);
    names_.pop(mark);
    auto view = t.view;
    if (t && e->domain) {
        view   = views_.make({.dom = t.view});
        t.type = at(e->span, [&] { return world_.cn(t.type); });
    }
    auto axiom = t ? shared_.host.c_function(*e) : nullptr;
    auto def   = axiom ? at(e->span, [&] { return world_.axm(axiom, t.type); }) : nullptr;
    names_.push({.sym = e->name.name, .span = e->name.span, .def = def, .view = view});
}

/// Whether a value of this type takes a type, itself or in a part of it: a function that is polymorphic.
static bool takes_types(const Def* type) {
    std::vector<const Def*> todo{type};
    std::unordered_set<const Def*> seen{type};
    while (!todo.empty()) {
        auto part = todo.back();
        todo.pop_back();
        auto pi        = part->isa<Pi>();
        bool is_return = pi && pi->is_cn() && !pi->is_implicit(); // it may get a type together with a value of it
        if (pi && !is_return && binds_types(pi->dom())) return true;
        bool has_parts = pi || part->isa<Sigma>() || part->isa<Arr>() || part->isa<Union>();
        if (!has_parts) continue;
        for (auto op : part->ops())
            if (op && seen.insert(op).second) todo.push_back(op);
    }
    return false;
}

/// The type of what the last group of a `fun` or a `lam` is to return; null for any other group, and for a continuation.
static const Def* result_type(World& world, const ast::Fun* fun, const ParamGroup& group, bool is_last) {
    if (fun->fun.form == ast::LamForm::Lam) return is_last ? group.lam->pi()->codom() : nullptr;
    if (!group.cps) return nullptr;
    auto pair = group.lam->dom();
    return elem_type(world, pair, group.lam->var(), world.lit_idx(2, 1))->as<Pi>()->dom();
}

/// C functions have no type parameters.
bool Declarations::check_extern(const ast::Fun* fun, const PendingFunction& f) {
    auto name = fun->name.name.str();
    for (auto& g : f.groups) {
        auto result    = result_type(world_, fun, g, &g == &f.groups.back());
        bool is_result = result && takes_types(result);
        if (!is_result && !binds_types(g.dom) && !takes_types(g.dom)) continue;
        auto stated = fun->fun.codomain ? fun->fun.codomain->span : fun->name.span;
        auto place  = is_result ? stated : g.pattern->span;
        auto text   = is_result ? errors_.show(result) : source_text(place);
        auto& d     = error(Diag::extern_polymorphic, place, {name, text});
        d.note(Diag::extern_of_one_type, {}, {name});
        return false;
    }
    return true;
}

void Declarations::make_extern(const ast::Fun* fun, const PendingFunction& f) {
    if (!check_extern(fun, f)) return;
    auto lam         = f.lam();
    auto [it, fresh] = shared_.externs.emplace(fun->name.name, fun->name.span);
    if (!fresh && world_.externals.find(fun->name.name.view())) {
        error(Diag::redefined, fun->name.span, {fun->name.name.str()})
            .note(Diag::declared_here, it->second, {fun->name.name.str()});
        return;
    }
    it->second = fun->name.span; // one of a program that was compiled before is gone
    world_.externals.add(fun->name.name, lam);
}

void Declarations::import(const Scope& scope) {
    for (auto& n : scope.names)
        names_.push(
            {.sym = n.name, .span = n.span, .def = n.def, .view = n.view, .kind = Binding::Import, .constructor = n.constructor});
}

} // namespace mim
