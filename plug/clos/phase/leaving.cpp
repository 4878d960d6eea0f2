// SPDX-License-Identifier: MIT
#include "leaving.h"

#include <algorithm>

#include "ir/token_types.h"

namespace mim::plug::clos {

/// Itself, or in a part. A type that is not known may be one.
bool Leaving::is_continuation(const Def* value) {
    auto has_no_return = [&](const Pi* pi) { return pi->is_cn() && !view_cn(world_, pi->dom(), true).has_ret(); };
    return value->type() && is_term(value) && may_hold(value->type(), has_no_return);
}

/// The value of which `def` is a part; `indices`: and which part.
static const Def* skip_elements(const Def* def, Worklist<const Def*>& indices) {
    while (auto extract = def->isa<Extract>()) {
        indices.push(extract->index());
        def = extract->tuple();
    }
    return def;
}

/// `lam` mentions one that is bound outside, or calls a function around it that does so.
bool Leaving::knows_continuation(const Lam* lam) {
    Worklist<const Def*> functions{lam};
    while (auto function = functions.next())
        if (mentions_continuation(function, functions)) return true;
    return false;
}

/// `function` does, from outside of itself; what it calls of the functions around it comes to `next`.
bool Leaving::mentions_continuation(const Def* function, Worklist<const Def*>& next) {
    DefSet outer, around;
    for (auto var : free_vars(world_, function)) {
        outer.insert(var);
        around.insert(var->as<Var>()->binder());
    }
    Worklist<const Def*> todo;
    todo.push_all(function->ops());
    while (auto def = todo.next()) {
        if (is_closed(world_, def)) continue;
        if (outer.contains(skip_elements(def, todo))) {
            if (is_continuation(def)) return true;
        } else if (around.contains(def)) {
            next.push(def);
        } else if (!def->isa<Var>()) {
            todo.push_all(def->ops());
        }
    }
    return false;
}

bool Leaving::values_may_leave() {
    if (values_may_leave_) return *values_may_leave_;
    values_may_leave_ = std::ranges::any_of(snapshot_.nodes(), [&](auto def) {
        auto lam = def->template isa<Lam>();
        if (!lam || !lam->is_cn() || !lam->is_set() || !program_.is_escaping(lam)) return false;
        return !program_.is_cont(lam) && program_.view(lam).has_ret() && knows_continuation(lam);
    });
    return *values_may_leave_;
}

} // namespace mim::plug::clos
