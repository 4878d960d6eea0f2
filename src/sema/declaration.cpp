// SPDX-License-Identifier: MIT
// Declarations that are no functions: `let`, annexes, axioms, C functions, imports; and what `extern` adds to a function.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "sema/elab.h"

namespace mim {

void Elab::decl(const ast::Decl* d) {
    switch (d->kind) {
        case ast::DeclKind::Let: return let(ast::as<ast::Let>(d));
        case ast::DeclKind::Axm: return axm(ast::as<ast::Axm>(d));
        case ast::DeclKind::CDecl: return c_decl(ast::as<ast::CDecl>(d));
        case ast::DeclKind::Rule: return rule(ast::as<ast::Rule>(d));
        case ast::DeclKind::Import: return import(s_.host.import(*ast::as<ast::Import>(d)));
        case ast::DeclKind::Plugin: return import(s_.host.plugin(*ast::as<ast::Plugin>(d)));
        case ast::DeclKind::Fun: // always planned
        case ast::DeclKind::Rec:
        case ast::DeclKind::Ret: return;
    }
}

void Elab::let(const ast::Let* e) {
    auto holes = open_.size();
    auto value = expr(e->value);
    if (value && !check_pattern(e->pattern, value, e->value->span)) {
        value = {};
        open_.resize(holes); // reported
    }
    if (!nesting_ && !check_holes(holes)) value = {}; // the type that the pattern states may have filled some
    if (value && value.def->is_unstable()) value.def = world_.refresh(value.def);
    if (auto name = ast::isa<ast::NamePattern>(e->pattern)) {
        if (ast::is_annex(name->name.name)) return define_annex(name->name, value);
        if (!name->name.name) return check_ignored(e, value.def);
        scopes_.push({.sym = name->name.name, .span = name->name.span, .def = value.def, .view = value.view});
        keep_names(function_, scopes_.size() - 1, false);
        return check_unused(scopes_.size() - 1, e->value);
    }
    check_ignored(e, value.def);
    auto root = bind_root(value.def, value.view);
    bind(e->pattern, {root, 0, 1}, value.view, Binding::Let);
    keep_names(function_, root, false);
    check_unused(root, nullptr);
    for (auto i = root; i < scopes_.size(); ++i)
        if (auto& b = scopes_[i]; ast::is_annex(b.sym)) define_annex({b.sym, b.span}, {force(i), b.view});
}

/// Of the names bound from `first` on: one that nobody mentions deserves a warning, or an error if an effect would be lost with it.
void Elab::check_unused(size_t first, const ast::Expr* value) {
    for (auto i = first; i < scopes_.size(); ++i) {
        auto b = scopes_[i];
        if (!b.sym || !b.span) continue;
        bool part = s_.has_tokens() && plans_->is_unused_part(b.span);
        if (!part && !plans_->is_unused(b.span)) continue;
        auto def = force(static_cast<uint32_t>(i));
        if (!def) continue;
        if (loses_token(def, value)) drop(def, b.span, b.sym.str());
        else if (!part && b.sym.view().front() != '_' && ++num_unused_ <= Plans::MaxWarnings)
            diags_.report(Diag::unused, b.span, {b.sym.str()});
    }
}

/// An annex, a rule or a norm exists once in the program, so it cannot depend on a variable of a function around it: what it is would be
/// open wherever else it is used. `binder`: the variables of a rule, which it may depend on.
bool Elab::check_closed(Symbol name, Span place, const Def* def, const Lam* binder) {
    bool is_outermost = blocks_.size() <= 1 && !function_ && !nesting_;
    if (!def || is_outermost) return true; // there is no function around it
    s_.inner_annexes.push_back({name, place, def, binder});
    for (auto var : world_.free_vars(def)) {
        if (binder && var == binder->var()) continue;
        report_open(name, place, def, var);
        return false;
    }
    return true;
}

/// Reports an annex that depends on a variable: `def` is what it stands for.
void Elab::report_open(Symbol name, Span place, const Def* def, const Def* var) {
    auto part  = mentioned_part(def, var);
    auto bound = first_binding(part);
    auto text  = bound ? bound->sym.str() : show(part);
    auto at    = bound ? bound->span : world_.span(part) ? world_.span(part) : world_.span(var->as<Var>()->binder());
    auto& d    = error(Diag::annex_open, place, {name.str(), text});
    if (at) d.note(Diag::declared_here, at, {text});
}

/// The first part of the variable that `root` mentions; the variable itself if it mentions that as a whole.
const Def* Elab::mentioned_part(const Def* root, const Def* var) {
    std::vector<const Def*> work{root};
    std::unordered_set<const Def*> done;
    while (!work.empty()) {
        auto d = work.back();
        work.pop_back();
        if (!d || !world_.is_free_in(var, d) || !done.insert(d).second) continue;
        auto base = d;
        while (base->isa<Extract>() && isa_lit(base->as<Extract>()->index())) base = base->as<Extract>()->tuple();
        if (base == var) return d;
        work.insert(work.end(), d->ops().begin(), d->ops().end());
        work.push_back(d->type());
    }
    return var;
}

/// Checks annexes that were declared inside of functions, whose bodies are known now.
void Elab::check_all_closed() {
    for (auto& [name, place, def, binder] : std::exchange(s_.inner_annexes, {}))
        for (auto var : world_.free_vars(def)) {
            if (binder && var == binder->var()) continue;
            report_open(name, place, def, var);
            break;
        }
}

void Elab::define_annex(const ast::Binder& name, Res value) {
    if (!check_closed(name.name, name.span, value.def)) value = {};
    auto [it, fresh] = s_.annexes.try_emplace(name.name, Elaborator::Shared::Annex{value.def, value.view, name.span});
    if (!fresh) {
        error(Diag::redefined, name.span, {name.name.str()}).note(Diag::declared_here, it->second.span, {name.name.str()});
        return;
    }
    auto id = s_.host.annex_id(name);
    if (id && value) world_.define_annex(*id, name.name, value.def);
}

void Elab::axm(const ast::Axm* e) {
    auto holes = open_.size();
    auto t     = type(e->type);
    if (!check_holes(holes) || !check_closed(e->name.name, e->type->span, t.type)) t = {};
    auto define = [&](Symbol canonical, const ast::Binder& name, std::span<const ast::Binder> aliases) {
        auto add = [&](Symbol sym, Span span, const Def* def) {
            auto [it, fresh] = s_.annexes.try_emplace(sym, Elaborator::Shared::Annex{def, t.view, span});
            if (!fresh) error(Diag::redefined, span, {sym.str()}).note(Diag::declared_here, it->second.span, {sym.str()});
            return fresh;
        };
        auto axiom = t ? s_.host.axiom(*e, canonical) : nullptr;
        auto def   = axiom ? make_axiom(*e, *axiom, t.type) : nullptr;
        if (add(canonical, name.span, def) && def) world_.define_annex(axiom->id, canonical, def);
        for (auto& alias : aliases) {
            auto sym = world_.sym(e->name.name.str() + "." + alias.name.str());
            if (add(sym, alias.span, def) && def) world_.define_annex(axiom->id, sym, def);
        }
    };
    if (e->subs.empty()) define(e->name.name, e->name, {});
    for (auto& sub : e->subs) {
        auto& first = sub.names.front();
        define(world_.sym(e->name.name.str() + "." + first.name.str()), first,
               std::span(sub.names.begin(), sub.names.size()).subspan(1));
    }
}

const Def* Elab::make_axiom(const ast::Axm& e, Axiom& axiom, const Def* type) {
    auto groups = num_params(type);
    if (e.has_curry && e.curry > groups) {
        error(Diag::bad_curry, e.span, {e.name.name.str(), std::to_string(e.curry), std::to_string(groups)});
        return nullptr;
    }
    axiom.curry = static_cast<uint8_t>(std::min<size_t>(e.has_curry ? e.curry : groups, 255));
    return at(e.type->span, [&] { return world_.axm(&axiom, type); });
}

void Elab::c_decl(const ast::CDecl* e) {
    auto mark = scopes_.mark();
    Ty t;
    if (!e->domain) t = type(e->type);
    else if (!e->is_con) t = pair_type(e->domain, [&] { return return_type(e->type); });
    else t = pattern_type(e->domain);
    scopes_.pop(mark);
    auto view = t.view;
    if (t && e->domain) {
        view   = s_.views.make({.dom = t.view});
        t.type = at(e->span, [&] { return world_.cn(t.type); });
    }
    auto axiom = t ? s_.host.c_function(*e) : nullptr;
    auto def   = axiom ? at(e->span, [&] { return world_.axm(axiom, t.type); }) : nullptr;
    scopes_.push({.sym = e->name.name, .span = e->name.span, .def = def, .view = view});
}

/// C functions have no type parameters. A `lam` is in direct style, and may be there to be printed.
bool Elab::check_extern(const ast::Fun* fun, const Fun& f) {
    if (fun->fun.form == ast::LamForm::Lam) return true;
    for (auto& g : f.groups) {
        if (!binds_types(g.dom)) continue;
        auto name = fun->name.name.str();
        auto& d   = error(Diag::extern_polymorphic, g.pattern->span, {name, source_text(g.pattern->span)});
        d.note(Diag::extern_of_one_type, {}, {name});
        return false;
    }
    return true;
}

void Elab::make_extern(const ast::Fun* fun, const Fun& f) {
    if (!check_extern(fun, f)) return;
    auto lam         = f.lam();
    auto [it, fresh] = s_.externs.emplace(fun->name.name, fun->name.span);
    if (!fresh && world_.external(fun->name.name.view())) {
        error(Diag::redefined, fun->name.span, {fun->name.name.str()})
            .note(Diag::declared_here, it->second, {fun->name.name.str()});
        return;
    }
    it->second = fun->name.span; // one of a program that was compiled before is gone
    world_.make_external(fun->name.name, lam);
}

void Elab::import(const Scope* scope) {
    if (!scope) return;
    for (auto& n : scope->names)
        scopes_.push({.sym = n.name, .span = n.span, .def = n.def, .view = n.view, .kind = Binding::Import});
}

} // namespace mim
