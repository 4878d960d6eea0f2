// SPDX-License-Identifier: MIT
#include "roles.h"

#include <algorithm>

#include "analysis/axiom_param.h"

namespace mim::plug::clos {

namespace {

bool is_function_type(const Def* type) { return type && type->isa<Pi>(); }

/// A function of C, which has no other type.
bool is_c_function(const Def* callee) {
    auto pi = callee->isa<Axm>() ? callee->type()->isa<Pi>() : nullptr;
    return pi && pi->is_cn();
}

/// Takes its last argument for where it returns to; a continuation might take it for a value.
bool is_function(World& world, const Def* callee) {
    return is_c_function(callee) || (callee->isa<Lam>() && is_closed(world, callee));
}

bool is_last(const Tuple* tuple, const Def* def) {
    for (size_t i = 0; i + 1 < tuple->num_ops(); ++i)
        if (tuple->op(i) == def) return false;
    return true;
}

/// `def`, an element of the tuple, may be a value there: it is neither a return nor one of the choices of a branch.
bool is_part(World& world, const Snapshot& program, const Tuple* tuple, const Def* def) {
    return std::ranges::any_of(program.users(tuple), [&](auto user) {
        if (auto app = user->template isa<App>()) return !is_last(tuple, def) || !is_function(world, app->callee());
        auto extract = user->template isa<Extract>();
        if (!extract || extract->tuple() != tuple) return true;
        return std::ranges::any_of(program.users(extract), [&](auto use) {
            auto call = use->template isa<App>();
            return !call || call->callee() != extract || call->arg() == extract;
        });
    });
}

} // namespace

bool may_escape(World& world, const Snapshot& program, const Lam* lam) {
    return std::ranges::any_of(program.users(lam), [&](auto user) {
        if (auto tuple = user->template isa<Tuple>()) return is_part(world, program, tuple, lam);
        auto app = user->template isa<App>();
        if (!app) return !user->template isa<Match>();
        return app->arg() == lam && !is_function(world, app->callee()) && !is_function_type(declared_param(world, app->callee()));
    });
}

/// Position of the return in the argument.
int Roles::ret_of(const Def* callee) const {
    auto pi = callee->type() ? callee->type()->isa<Pi>() : nullptr;
    if (!pi || !pi->is_cn() || program_.isa_ret(callee)) return none;
    if (auto extract = callee->isa<Extract>())
        if (auto tuple = extract->tuple()->isa<Tuple>()) return ret_of(tuple->op(0));
    auto lam = callee->isa<Lam>();
    if (lam && program_.is_cont(lam)) return none;
    auto view = view_cn(world_, pi->dom(), true);
    return !view.has_ret() ? none : view.arity == 1 ? whole : view.ret;
}

bool Roles::is_called(const Def* callee, size_t i) const {
    return ret_of(callee) == int(i) || is_function_type(declared_param(world_, callee, int(i)));
}

bool Roles::is_called(const Def* callee) const {
    return ret_of(callee) == whole || is_function_type(declared_param(world_, callee));
}

} // namespace mim::plug::clos
