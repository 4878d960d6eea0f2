// SPDX-License-Identifier: MIT
#include "ir/order.h"

#include "ir/axiom.h"
#include "ir/impl.h"

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

/*
 * looks
 */

namespace {

/// Whether it has an element for each of n numbers: a recursive Σ of equal elements may be equal to an array, and so may a tuple to a pack.
bool is_list(const Def* def) { return def->isa<Sigma>() || def->isa<Tuple>(); }

const Lit* isa_lit_arity(const Def* def) { return def->isa<Arr>() || def->isa<Pack>() ? isa_lit(def->op(0)) : nullptr; }

/// Each operand gets an equal part of the fuel, so that equal ones use it alike, however they are unrolled. What may be equal to something
/// that looks different is not looked into.
uint32_t looks(const Def* def, uint64_t fuel) {
    constexpr uint32_t unknown = 0x9e3779b9;
    if (fuel == 0 || !def || def->is_unstable() || !def->is_set()) return unknown;
    auto kind = static_cast<uint32_t>(def->node());
    if (auto lit = def->isa<Lit>()) return mix(kind + 64 * lit->is_2_64(), lit->value());
    if (auto sort = def->isa<Sort>()) return mix(kind, sort->level());
    if (def->isa<Axm>()) return mix(kind, def->id());
    if (def->isa<Lam>() || def->isa<Var>()) return kind;
    auto part = [&](uint64_t n) { return n ? (fuel - 1) / n : 0; };
    if (auto length = isa_lit_arity(def)) {
        auto shape = def->isa<Arr>() ? Node::Sigma : Node::Tuple;
        return mix(mix(static_cast<uint32_t>(shape), length->value()), looks(def->op(1), part(length->value())));
    }
    auto n      = def->num_ops();
    auto shape  = mix(kind, n);
    auto first  = n ? looks(def->op(0), part(n)) : 0;
    auto all    = first;
    bool differ = !is_list(def);
    bool sum    = def->isa<Union>(); // in any order
    for (size_t i = 1; i < n && part(n) != 0; ++i) {
        auto next = looks(def->op(i), part(n));
        differ |= next != first;
        all = sum ? all + next : mix(all, next);
    }
    return mix(shape, differ ? all : first);
}

} // namespace

uint32_t looks(const Def* def) { return looks(def, 64); }

} // namespace mim
