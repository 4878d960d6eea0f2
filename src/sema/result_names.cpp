// SPDX-License-Identifier: MIT
#include "sema/result_names.h"

#include <algorithm>

namespace mim {

void ResultNames::apply(const Def* arg, const View* view) {
    auto pi = type_ ? type_->isa<Pi>() : nullptr;
    type_   = pi ? pi->codom() : nullptr;
    if (!pi) return;
    if (pi->var()) arguments_.emplace_back(pi->var(), arg);
    if (view) match(pi->dom(), pi->var(), view);
}

const View* ResultNames::result() {
    auto view = type_ && !variables_.empty() ? build(type_) : nullptr;
    return view ? views_.hint(view) : nullptr;
}

const View* ResultNames::find(const Def* variable) const {
    for (auto& [key, view] : variables_)
        if (key == variable) return view;
    return nullptr;
}

/// What a pointer type points to, or null.
const Def* ResultNames::pointee(const Def* type) const {
    auto axm = type->isa<App>() ? head_axiom(type) : nullptr;
    if (!axm || !axm->axiom().has(Axiom::Pointer)) return nullptr;
    auto arg = type->as<App>()->arg();
    return arg->isa<Tuple>() ? arg->op(0) : arg;
}

/// Of an array over a tuple of types, `«j: n; Ts#j»`: the tuple; else null.
static const Def* types_of(const Def* type) {
    auto arr  = type->isa<Arr>();
    auto elem = arr && arr->var() ? arr->body()->isa<Extract>() : nullptr;
    return elem && elem->index() == arr->var() ? elem->tuple() : nullptr;
}

/// A parameter of this type, which is called `value` in the types behind it (null: nothing mentions it), has this view.
void ResultNames::match(const Def* type, const Def* value, const View* view) {
    if (!view) return;
    if (type->isa<Sort>()) {
        if (value && view->inst) variables_.emplace_back(value, view->inst);
    } else if (type->isa<Var>() || type->isa<Extract>()) {
        variables_.emplace_back(type, view);
    } else if (auto behind = pointee(type)) {
        match(behind, nullptr, view->each);
    } else if (auto types = types_of(type)) {
        variables_.emplace_back(types, view);
    } else if (type->isa<Sigma>()) {
        for (size_t i = 0; i != type->num_ops(); ++i)
            match(type->op(i), value ? world_.extract(value, i) : nullptr, view->elem(i));
    } else if (auto arr = type->isa<Arr>()) {
        if (view->each) return match(arr->body(), nullptr, view->each);
        for (auto elem : view->elems) match(arr->body(), nullptr, elem);
    }
}

/// The view of the values of a type; null inside of a recursive type for the type itself.
const View* ResultNames::build(const Def* type) {
    if (auto known = find(type)) return known;
    if (is_closed(world_, type) || std::ranges::find(building_, type) != building_.end()) return nullptr;
    building_.push_back(type);
    auto view = build_parts(type);
    building_.pop_back();
    return view;
}

const View* ResultNames::build_parts(const Def* type) {
    if (auto behind = pointee(type)) {
        auto each = build(behind);
        return each ? views_.make({.each = each}) : nullptr;
    }
    if (auto types = types_of(type)) return find(types);
    if (auto elem = type->isa<Extract>()) return build_element(elem);
    if (type->isa<Sigma>()) return build_tuple(type);
    if (auto arr = type->isa<Arr>()) {
        auto each = build(arr->body());
        return each ? views_.make({.each = each}) : nullptr;
    }
    auto pi = type->isa<Pi>();
    if (!pi) return nullptr;
    auto dom = build(pi->dom()), codom = build(pi->codom());
    return dom || codom ? views_.make({.dom = dom, .codom = codom}) : nullptr;
}

/// `Ts#i`, where a parameter may say which one it is.
const View* ResultNames::build_element(const Extract* type) {
    auto view = find(type->tuple());
    if (!view) return nullptr;
    auto index = type->index();
    for (auto& [param, arg] : arguments_) index = world_.subst(index, param, arg);
    auto lit = isa_lit(index);
    return lit ? view->elem(lit->value()) : view->each;
}

const View* ResultNames::build_tuple(const Def* type) {
    std::vector<const View*> elems;
    for (auto op : type->ops()) elems.push_back(build(op));
    bool any = std::ranges::any_of(elems, [](auto elem) { return elem != nullptr; });
    return any ? views_.make({.elems = {elems.data(), elems.size()}}) : nullptr;
}

} // namespace mim
