// SPDX-License-Identifier: MIT
#include "sema/expectation.h"

#include <algorithm>
#include <unordered_set>

#include "sema/result.h"

namespace mim {

const Pi* Expectations::implicit_type(const Def* value) {
    auto type = value->type();
    if (type->is_unstable()) type = world_.refresh(type);
    auto pi = type->isa<Pi>();
    return pi && pi->is_implicit() ? pi : nullptr;
}

/// Whether what is left behind the implicit arguments is no function.
bool Expectations::is_value_of(const Pi* type) {
    const Def* result = type;
    while (auto pi = result->isa<Pi>()) {
        if (!pi->is_implicit()) return false;
        result = pi->codom();
    }
    return true;
}

static bool is_of_implicit_type(const Def* def) {
    auto pi = def->type()->isa<Pi>();
    return pi && pi->is_implicit();
}

/// Whether an element, or one further in, is of implicit type. Tuples share their elements, so each is looked into once.
static bool holds_implicit(const Def* tuple) {
    if (std::ranges::any_of(tuple->ops(), is_of_implicit_type)) return true;
    if (std::ranges::none_of(tuple->ops(), [](auto op) { return op->template isa<Tuple>(); })) return false;
    std::vector<const Def*> todo{tuple};
    std::unordered_set<const Def*> seen{tuple};
    while (!todo.empty()) {
        auto def = todo.back();
        todo.pop_back();
        for (auto op : def->ops()) {
            if (is_of_implicit_type(op)) return true;
            if (op->isa<Tuple>() && seen.insert(op).second) todo.push_back(op);
        }
    }
    return false;
}

void Expectations::expect(const ast::Expr* e, const Def* type) {
    auto result = result_expr(e);
    if (ast::isa<ast::Match>(result) && !type->has(Def::HasHole)) expected_[result] = type;
}

const Def* Expectations::expected(const ast::Match* e) const {
    auto found = expected_.find(e);
    return found != expected_.end() ? found->second : nullptr;
}

bool Expectations::lacks_arguments(const Def* value) {
    auto type = implicit_type(value);
    return type && is_value_of(type);
}

/// `nil @_`; a function stays as it is.
const Def* Expectations::apply_implicits(const Def* value, Span place) {
    if (!lacks_arguments(value)) return value;
    for (auto type = implicit_type(value); type; type = implicit_type(value))
        value = world_.app(value, holes_.make(type->dom(), place, type, nullptr));
    return value;
}

const Def* Expectations::instantiate(const Def* value, Span place) {
    if (!value->isa<Tuple>() || !holds_implicit(value)) return apply_implicits(value, place);
    std::vector<const Def*> elems;
    for (auto elem : value->ops()) elems.push_back(instantiate(elem, place));
    return world_.tuple(elems);
}

Res Expectations::with_view(const Def* fitting, Res value) {
    if (fitting == value.def) return value;
    auto view = value.view;
    for (auto pi = implicit_type(value.def); pi && pi->is_implicit(); pi = pi->codom()->isa<Pi>()) view = codom(view);
    return {fitting, view};
}

Res Expectations::instantiate(Res value, Span place) {
    if (!value) return value;
    return with_view(at(place, [&] { return instantiate(value.def, place); }), value);
}

const Def* Expectations::fit_tuple(const Def* type, const Def* value, Span place) {
    auto n = value->num_ops();
    if (lit_arity(world_, type) != static_cast<int64_t>(n) || !holds_implicit(value)) return value;
    std::vector<const Def*> elems;
    for (size_t i = 0; i < n; ++i)
        elems.push_back(fit(elem_type(world_, type, value, world_.lit_idx(n, i)), value->op(i), place));
    return world_.tuple(elems);
}

/// Whether a placeholder may stand for this type. One for a type of level 0, as the `T` of `some nil`, stands for no type of functions that
/// take a type.
bool Expectations::may_be(const Hole* hole, const Def* type) {
    auto sort = world_.refresh(hole->type())->isa<Sort>();
    return !sort || level(world_, type) <= sort->level();
}

const Def* Expectations::fit(const Def* type, const Def* value, Span place) {
    if (type->is_unstable()) type = world_.refresh(type);
    if (type->isa<Pi>()) return value;
    if (auto hole = type->isa<Hole>(); hole && may_be(hole, value->type())) return value;
    if (value->isa<Tuple>()) return fit_tuple(type, value, place);
    if (auto pack = value->isa<Pack>(); pack && type->isa<Arr>() && !pack->var() && implicit_type(pack->body()))
        return world_.pack(pack->arity(), fit(type->as<Arr>()->body(), pack->body(), place));
    return apply_implicits(value, place);
}

Res Expectations::fit(const Def* type, Res value, Span place) {
    if (!value) return value;
    return with_view(at(place, [&] { return fit(type, value.def, place); }), value);
}

} // namespace mim
