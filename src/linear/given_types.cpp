// SPDX-License-Identifier: MIT
#include "linear/given_types.h"

#include <algorithm>

#include "linear/check.h"

namespace mim::linear {

/// A type, or a tuple of types.
static bool is_types(const Def* def) {
    auto tuple = def->isa<Tuple>();
    auto pack  = def->isa<Pack>();
    if (pack && pack->is_set()) return is_types(pack->body());
    return is_static(def) || (tuple && tuple->num_ops() && std::ranges::all_of(tuple->ops(), is_types));
}

/// Whether what such a value is applied to may be a polymorphic function: its type is none in `*`, as universes are predicative.
static bool takes_polymorphic(World& world, const Def* type) {
    for (auto pi = type->isa<Pi>(); pi; pi = pi->codom()->isa<Pi>())
        if (world.level(pi->dom()) > 0) return true;
    return false;
}

/// Types that a type variable of a function, or of a package, may stand for. An axiom gives them to polymorphic functions that it gets, or to
/// those of its rules.
Defs GivenTypes::given_by(const Def* user) const {
    if (auto tuple = user->isa<Tuple>()) return is_types(tuple) ? Defs() : tuple->ops();
    auto app = user->isa<App>();
    if (!app || is_static(app)) return {};
    auto axm       = head_axiom(app);
    bool is_opaque = axm && check_.rule_functions(axm->axiom()).empty() && !takes_polymorphic(check_.world, app->type());
    return is_opaque ? Defs() : app->ops();
}

static bool is_never_type(const Def* types) {
    auto tuple = types->isa<Tuple>();
    auto pack  = types->isa<Pack>();
    if (pack && pack->is_set()) return is_never_type(pack->body());
    return tuple ? std::ranges::any_of(tuple->ops(), is_never_type) : types->node() == Node::Bot;
}

void GivenTypes::find() const {
    if (is_found_) return;
    is_found_ = true;
    std::vector<const Def*> todo;
    for (auto d : nodes_)
        for (auto op : given_by(d))
            if (op && is_types(op)) todo.push_back(op);
    for (auto& rule : check_.world.rules())
        if (is_static(rule->rhs)) todo.push_back(rule->rhs);
    never_ = std::ranges::any_of(todo, is_never_type);
    DefSet seen;
    while (!todo.empty()) {
        auto d = todo.back();
        todo.pop_back();
        if (!d || !seen.insert(d)) continue;
        if (auto pi = d->isa<Pi>()) {
            functions_.push_back(pi);
            continuation_ |= pi->is_cn();
        }
        if (d->is_set()) todo.insert(todo.end(), d->ops().begin(), d->ops().end());
    }
}

} // namespace mim::linear
