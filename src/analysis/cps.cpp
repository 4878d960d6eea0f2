// SPDX-License-Identifier: MIT
// See cps.h.
#include "analysis/cps.h"

#include <algorithm>

namespace mim {

const Def* elem_decl(World& world, const Def* type, size_t i) {
    if (auto sigma = type->isa<Sigma>()) return sigma->op(i);
    if (auto arr = type->isa<Arr>()) {
        auto var = arr->var();
        return var ? world.subst(arr->body(), var, world.lit_idx(arr->arity(), i)) : arr->body();
    }
    return type;
}

static bool is_tuple_type(const Def* type) { return type->isa<Sigma>() || type->isa<Arr>(); }

static bool holds_singleton(const Def* type) {
    if (type->isa<Sing>()) return true;
    if (!is_tuple_type(type)) return false;
    auto parts = type->isa<Arr>() ? type->ops().subspan(1) : type->ops();
    return std::ranges::any_of(parts, holds_singleton);
}

bool omits_singleton(World& world, const Def* from, const Def* to) {
    return from != to && holds_singleton(from) && !equal(world, from, to);
}

/// Number of elements if there are no more than so many, else -1.
static int arity_up_to(World& world, const Def* type, int at_most) {
    if (!is_tuple_type(type)) return -1;
    auto n = lit_arity(world, type);
    return n >= 0 && n <= at_most ? int(n) : -1;
}

/// Number of elements if they are passed one by one, else -1. LLVM takes a struct of hundreds of fields apart at once; an array it does not.
static int flat_arity(World& world, const Def* type) {
    return arity_up_to(world, type, type->isa<Sigma>() ? max_c_params : max_flat_params);
}

static bool is_cn_type(const Def* type) {
    auto pi = type->isa<Pi>();
    return pi && pi->is_cn();
}

static void flatten_group(World& world, CnView& view, int outer, const Def* type) {
    int n = flat_arity(world, type);
    if (n < 0) {
        view.params.push_back({outer, -1, type});
        return;
    }
    for (int i = 0; i != n; ++i) view.params.push_back({outer, i, elem_decl(world, type, i)});
}

CnView view_cn(World& world, const Def* dom, bool with_ret) {
    CnView view;
    int n = flat_arity(world, dom);
    if (n < 0) {
        if (with_ret && is_cn_type(dom)) {
            view.ret    = 0;
            view.result = dom->as<Pi>()->dom();
        } else {
            view.params.push_back({0, -1, dom});
        }
        return view;
    }
    view.arity = n;
    if (with_ret && n > 0 && is_cn_type(elem_decl(world, dom, n - 1))) {
        view.ret    = n - 1;
        view.result = elem_decl(world, dom, n - 1)->as<Pi>()->dom();
    }
    if (view.has_ret() && n == 2) {
        flatten_group(world, view, 0, elem_decl(world, dom, 0));
        return view;
    }
    for (int i = 0; i != n; ++i)
        if (i != view.ret) view.params.push_back({i, -1, elem_decl(world, dom, i)});
    return view;
}

CnView view_pi(World& world, const Pi* pi) {
    if (pi->is_cn()) return view_cn(world, pi->dom(), true);
    CnView view;
    flatten_group(world, view, -1, pi->dom());
    view.result = pi->codom();
    return view;
}

bool is_group(World& world, const CnView& view, const CnView::Param& p) {
    bool is_long = p.inner < 0 && arity_up_to(world, p.type, max_c_params) > max_flat_params;
    if (!is_long || !p.type->isa<Arr>()) return false;
    bool is_domain = p.outer < 0 || view.arity == 1;
    bool is_all    = view.has_ret() && view.arity == 2; // but for the return continuation
    return is_domain || is_all;
}

std::vector<CnView::Param> c_params(World& world, const CnView& view) {
    std::vector<CnView::Param> params;
    for (auto& p : view.params) {
        if (!is_group(world, view, p)) {
            params.push_back(p);
            continue;
        }
        auto n = int(lit_arity(world, p.type));
        for (int i = 0; i != n; ++i) params.push_back({p.outer, i, elem_decl(world, p.type, size_t(i))});
    }
    return params;
}

const Def* param_of(World& world, const CnView& view, const CnView::Param& p, const Def* arg) {
    auto def = p.outer < 0 || view.arity == 1 ? arg : world.extract(arg, uint64_t(p.outer));
    return p.inner < 0 ? def : world.extract(def, uint64_t(p.inner));
}

} // namespace mim
