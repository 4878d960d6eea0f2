// SPDX-License-Identifier: MIT
#include "sema/constructors.h"

#include <algorithm>
#include <unordered_map>

#include "sema/function.h"

namespace mim {

/*
 * the type
 */

Res Constructors::type(const ast::Labels* e) {
    auto n = e->labels.size();
    std::vector<const Def*> members;
    std::vector<Symbol> names;
    std::vector<const View*> payloads(n);
    std::unordered_map<Symbol, Span> seen;
    bool poison = false;
    for (size_t i = 0; i < n; ++i) {
        auto& label         = e->labels[i];
        auto [first, fresh] = seen.emplace(label.name.name, label.name.span);
        if (!fresh) {
            auto text = label.name.name.str();
            error(Diag::label_twice, label.name.span, {text}).note(Diag::declared_here, first->second, {text});
        }
        auto type = member(label, world_.lit_idx(n, i), payloads[i]);
        poison |= !type || !fresh;
        members.push_back(type);
        names.push_back(label.name.name);
    }
    if (poison) return {};
    auto view = views_.labelled(names, payloads);
    return {at(e->span, [&] { return world_.union_type(members); }), views_.type_of(view)};
}

/// The type of the label's singleton, and of its payload behind that.
const Def* Constructors::member(const ast::Label& label, const Def* literal, const View*& payload) {
    auto sing = world_.sing(literal);
    if (!label.payload) return sing;
    auto sigma = ast::isa<ast::Sigma>(label.payload);
    if (!sigma) {
        auto type = terms_.type(label.payload);
        payload   = type.view;
        return type ? at(label.payload->span, [&] { return world_.sigma({sing, type.type}); }) : nullptr;
    }
    if (sigma->elems->elems.empty()) return sing;
    auto type = patterns_.labelled_type({sing}, sigma->elems);
    payload   = behind_label(type.view, num_elems(sigma->elems));
    return type.type;
}

/// The view of the elements behind the label: of one that of its own.
const View* Constructors::behind_label(const View* whole, size_t n) {
    if (!whole || n == 1) return elem(whole, 1);
    std::vector<const View*> elems;
    for (size_t i = 1; i <= n; ++i) elems.push_back(whole->elem(i));
    std::span<const Symbol> names(whole->names.begin(), whole->names.size());
    return views_.tuple(names.empty() ? names : names.subspan(1), elems);
}

/*
 * declaring
 */

LabelledType& Constructors::declare(const ast::Binder& type, const ast::Labels* labels) {
    auto& result = shared_.labelled.emplace_back(LabelledType{.name = type.name, .span = type.span});
    uint32_t i   = 0;
    for (auto& label : labels->labels) {
        auto qualified = world_.sym(type.name.str() + "." + label.name.name.str());
        result.constructors.push_back({&result, label.name.name, qualified, label.name.span, i++});
    }
    return result;
}

void Constructors::bind_name(Symbol name, Constructor& constructor) {
    names_.push({.sym = name, .span = constructor.span, .kind = Binding::Fun, .constructor = &constructor});
}

void Constructors::bind(LabelledType& type) {
    bool is_annex = ast::is_annex(type.name);
    for (auto& constructor : type.constructors) {
        if (is_annex) shared_.annexes.define(constructor.qualified, {nullptr, nullptr, constructor.span, &constructor});
        else bind_name(constructor.qualified, constructor), bind_name(constructor.label, constructor);
    }
}

void Constructors::complete(LabelledType& type, Res value) {
    type.def         = value.def;
    type.view        = value.view;
    type.is_complete = true;
}

/*
 * using
 */

const Constructor* Constructors::find(Symbol name) {
    if (ast::is_annex(name)) {
        auto annex = shared_.annexes.find(name);
        return annex ? annex->constructor : nullptr;
    }
    auto binding = names_.find(name);
    if (binding && binding->constructor) binding->used = true;
    return binding ? binding->constructor : nullptr;
}

Res Constructors::use(const Binding& binding, Span span) {
    bool is_short = binding.sym == binding.constructor->label;
    if (is_short && is_ambiguous(binding, span)) return {};
    return use(*binding.constructor, span);
}

Res Constructors::use(Constructor& constructor, Span span) {
    auto& type = *constructor.type;
    if (!type.is_complete) {
        auto why = "its type is not complete before its declaration ends";
        auto& d  = error(Diag::not_ready, span, {constructor.label.str(), why});
        d.note(Diag::declared_here, constructor.span, {constructor.label.str()});
        return {};
    }
    if (!type.def) return {};
    auto build = [&] { return constructor.made = make(constructor), constructor.made.def; };
    if (!constructor.made && !at(span, build)) return {};
    return constructor.made;
}

const View* Constructors::view_of_values(const Constructor& constructor) {
    auto view = constructor.type->view;
    while (view && !view->inst) view = view->codom;
    return inst(view);
}

/// Whether types in scope share the label, so that nobody knows which one is meant.
bool Constructors::is_ambiguous(const Binding& binding, Span span) {
    std::vector<const Constructor*> all;
    for (auto b = &binding; b && b->constructor; b = names_.shadowed(*b)) {
        auto own        = names_.find(b->constructor->qualified);
        bool is_visible = own && own->constructor == b->constructor;
        if (is_visible && std::ranges::find(all, b->constructor) == all.end()) all.push_back(b->constructor);
    }
    if (all.size() < 2) return false;
    std::string choice;
    for (size_t i = all.size(); i-- > 0;) {
        choice += "`" + all[i]->qualified.str() + "`";
        if (i > 0) choice += i == 1 ? " or " : ", ";
    }
    auto& d = error(Diag::ambiguous_label, span, {binding.sym.str(), choice});
    for (size_t i = all.size(); i-- > 0;) d.note(Diag::declared_here, all[i]->span, {all[i]->qualified.str()});
    return true;
}

/// A parameter of a type, which is implicit. It has the names that the declaration of the type gives it.
Lam* Constructors::parameter(const Def* type, const Pi* pi) {
    auto lam = world_.mut_lam(world_.pi(pi->dom(), world_.bot(), true));
    world_.holes.enter(lam);
    auto declared = type->isa<Lam>();
    auto var      = declared ? declared->var() : pi->var();
    if (auto name = var ? world_.notes.name(var) : Symbol()) world_.notes.set_name(lam->var(), name);
    if (auto fields = declared ? world_.notes.fields(declared) : nullptr) world_.notes.set_fields(lam, *fields);
    return lam;
}

/// The view of the function: the parameters of the type have none.
const View* Constructors::view_of(const Constructor& constructor, size_t num_groups) {
    auto view = constructor.type->view;
    for (size_t i = 0; i < num_groups; ++i) view = codom(view);
    view         = inst(view);
    auto payload = elem(view, constructor.index);
    return view || payload ? views_.make({.dom = payload, .codom = view}) : nullptr;
}

/// `λ {T: *} (x: U) = (1_2, x) inj @M (List T)`
Res Constructors::make(Constructor& constructor) {
    std::vector<Lam*> groups;
    auto type = constructor.type->def;
    for (auto pi = type->type()->isa<Pi>(); pi; pi = world_.refresh(type->type())->isa<Pi>()) {
        groups.push_back(parameter(type, pi));
        type = world_.refresh(world_.app(type, groups.back()->var()));
    }
    auto num_groups    = groups.size();
    auto members       = members_of(type);
    auto has_label     = [&](auto member) { return label_of(member)->value() == constructor.index; };
    auto member        = *std::ranges::find_if(members, has_label);
    const Def* payload = nullptr;
    if (num_payload(member)) {
        groups.push_back(world_.mut_lam(world_.pi(payload_type(world_, member), world_.bot())));
        world_.holes.enter(groups.back());
        payload = groups.back()->var();
    }
    auto value = world_.inj(type, labelled_value(world_, member, payload), member);
    auto view  = view_of(constructor, num_groups);
    if (!payload) view = codom(view);
    for (size_t i = 0; i < num_groups && view; ++i) view = views_.make({.codom = view});
    return {make_function(groups, value), view};
}

/// The λs of these groups around the result.
const Def* Constructors::make_function(std::span<Lam* const> groups, const Def* result) {
    for (auto i = groups.size(); i-- > 0;) {
        auto lam = groups[i];
        auto pi  = pi_over(world_, lam, world_.refresh(result->type()), lam->pi()->is_implicit());
        world_.set_type(lam, pi);
        world_.set(lam, world_.tt(), result);
        result = lam;
    }
    std::vector<Lam*> inside_out(groups.rbegin(), groups.rend());
    if (!inside_out.empty()) world_.close(inside_out);
    return result;
}

} // namespace mim
