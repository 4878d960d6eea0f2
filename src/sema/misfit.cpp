// SPDX-License-Identifier: MIT
#include "sema/misfit.h"

#include <algorithm>

#include "ir/questions.h"

namespace mim {

/// The element type `Idx ?s` of an array: as an element behind the wrong one tells it.
static const Def* integer_behind(World& world, const Def* type, const Def* value, size_t wrong) {
    if (!isa_idx(type) || !type->has(Def::HasHole)) return type;
    auto n = static_cast<size_t>(lit_arity(world, value->type()));
    for (auto i = wrong + 1; i < n; ++i) {
        auto later = world.extract(value, i)->type();
        if (isa_idx(later) && !later->has(Def::HasHole)) return later;
    }
    return type;
}

/// The type of an element of this domain, as it was declared; null if that is not known.
static const Def* declared_elem(const Def* domain, size_t n, size_t i) {
    if (!domain) return nullptr;
    if (auto arr = domain->isa<Arr>()) return arr->body();
    return domain->isa<Sigma>() && domain->num_ops() == n ? domain->op(i) : nullptr;
}

bool narrow(World& world, Misfit& misfit) {
    auto tuple = ast::isa<ast::Tuple>(misfit.place);
    auto n     = tuple ? tuple->elems.size() : 0;
    if (!tuple || lit_arity(world, misfit.dom) != static_cast<int64_t>(n)) return false;
    const Def *elem_dom = nullptr, *elem = nullptr;
    auto wrong = n;
    for (size_t i = 0; i < n; ++i) {
        auto d = elem_type(world, misfit.dom, misfit.value, world.lit_idx(n, i));
        auto x = world.extract(misfit.value, i);
        if (assignable(world, d, x)) continue;
        bool is_size = x == world.lit_2_64(); // it may be right here
        if (is_size && elem) continue;
        elem_dom = d, elem = x, wrong = i;
        if (!is_size) break;
    }
    if (wrong == n) return false;
    if (misfit.dom->isa<Arr>()) elem_dom = integer_behind(world, elem_dom, misfit.value, wrong);
    misfit = {elem_dom, declared_elem(misfit.declared, n, wrong), elem, tuple->elems[wrong]};
    return true;
}

/// A placeholder, an element of one, or a tuple of such.
static bool is_placeholder(const Def* def) {
    if (def->isa<Tuple>()) return std::ranges::all_of(def->ops(), is_placeholder);
    auto ex = def->isa<Extract>();
    return (ex ? ex->tuple() : def)->isa<Hole>();
}

bool is_partly_known(const Def* declared, const Def* dom) {
    if (is_placeholder(dom) || declared == dom || !declared->has(Def::HasDep)) return false;
    if (declared->isa<Var>() || declared->isa<Extract>()) return true; // a parameter
    bool is_same_form = declared->node() == dom->node() && declared->num_ops() == dom->num_ops();
    if (!is_same_form) return true;
    if (declared->is_mut() || dom->is_mut()) return false;
    for (size_t i = 0; i < dom->num_ops(); ++i)
        if (is_partly_known(declared->op(i), dom->op(i))) return true;
    return false;
}

} // namespace mim
