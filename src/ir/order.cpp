// SPDX-License-Identifier: MIT
#include "ir/order.h"

#include "ir/axiom.h"
#include "ir/world.h"

namespace mim {

namespace {

constexpr int max_nodes = 128;

template<class T>
int three_way(const T& a, const T& b) {
    return a < b ? -1 : b < a ? 1 : 0;
}

int compare_axioms(const Axiom& a, const Axiom& b) {
    if (auto c = three_way(a.id.plugin, b.id.plugin)) return c;
    if (auto c = three_way(a.id.tag, b.id.tag)) return c;
    if (auto c = three_way(a.id.sub, b.id.sub)) return c;
    return a.name.view().compare(b.name.view());
}

/// Literals first, applications last: what laws look into comes second.
int rank(const Def* def) { return def->node() == Node::Lit ? 0 : def->node() == Node::App ? 2 : 1; }

/// Lexicographic on (kind, payload, operands) down to `fuel` nodes; 0 if that does not tell them apart.
int compare_shape(const Def* a, const Def* b, int& fuel) {
    if (a == b || fuel-- <= 0) return 0;
    if (auto c = three_way(rank(a), rank(b))) return c;
    if (auto c = three_way(a->node(), b->node())) return c;
    if (auto l = a->isa<Lit>()) {
        auto m = b->as<Lit>();
        if (auto c = three_way(l->is_2_64(), m->is_2_64())) return c;
        if (auto c = three_way(l->value(), m->value())) return c;
        return compare_shape(a->type(), b->type(), fuel);
    }
    if (a->isa<Var>()) return three_way(a->id(), b->id()); // a binder is older than the binders in it
    if (auto s = a->isa<Sort>()) return three_way(s->level(), b->as<Sort>()->level());
    if (auto x = a->isa<Axm>()) return compare_axioms(x->axiom(), b->as<Axm>()->axiom());
    if (auto c = three_way(a->is_mut(), b->is_mut())) return c;
    // a function's body may come later, and a type that is not sealed may still be tied
    if (a->is_mut() && (a->isa<Lam>() || !a->is_sealed() || !b->is_sealed())) return 0;
    if (auto c = three_way(a->num_ops(), b->num_ops())) return c;
    for (size_t i = 0; i < a->num_ops(); ++i)
        if (auto c = compare_shape(a->op(i), b->op(i), fuel)) return c;
    return 0;
}

} // namespace

int compare(const Def* a, const Def* b) {
    if (a == b) return 0;
    int fuel = max_nodes;
    if (auto c = compare_shape(a, b, fuel)) return c;
    return three_way(a->id(), b->id());
}

} // namespace mim
